"""Writes the analysts' queries as one page with charts: report.py OUTPUT (URL USER [CA] | replay FILE)."""

import collections
import contextlib
import datetime
import html
import itertools
import math
import os
import re
import sys

import analysts
from engines import Modern
from harness import Clickstream, Engine, Failure, Producer, Workplace

STYLE = """:root{color-scheme:light dark;--page:#fff;--text:#1c1c1e;--soft:#5a5a60;--rule:#8884;--one:#1f66c0;
--two:#b8500f;--three:#1d7f52;--four:#7443c4}
@media(prefers-color-scheme:dark){:root{--page:#1c1c1e;--text:#eee;--soft:#aaa;--one:#6fa8f5;--two:#f0924f;
--three:#5cc795;--four:#b494f0}}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:var(--text);
background:var(--page)}
h1{margin-bottom:0}h2{margin:3rem 0 0;font-size:1.2rem}p,summary,nav,th,.plot span{color:var(--soft)}p{margin:0 0 1rem}
nav{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem}a{color:var(--one)}details{margin-top:.8rem;font-size:.85rem}
time{white-space:nowrap}summary{cursor:pointer}.scroll,pre{overflow-x:auto;max-width:100%}
.scroll{background:linear-gradient(90deg,var(--page) 30%,transparent) 0/3rem 100% no-repeat local,
linear-gradient(270deg,var(--page) 30%,transparent) 100%/3rem 100% no-repeat local,
linear-gradient(90deg,#8886,transparent) 0/.8rem 100% no-repeat,
linear-gradient(270deg,#8886,transparent) 100%/.8rem 100% no-repeat}
table{border-collapse:collapse;font-size:.85rem;white-space:nowrap;font-variant-numeric:tabular-nums}
td,th{padding:.25rem 1.2rem .25rem 0;text-align:left;border-bottom:1px solid var(--rule);font-weight:400}
.number{text-align:right}.long{white-space:normal;overflow-wrap:anywhere;
min-width:9rem}
.grid td,.grid th+th{padding:.35rem .8rem;text-align:center;white-space:normal}.grid td{border:2px solid var(--page);
background:color-mix(in srgb,var(--one) var(--share),var(--page))}.grid th{border:0}
.bars{display:grid;grid-template-columns:minmax(5rem,max-content) 1fr;gap:.7rem 1.5rem;margin:0;font-size:.85rem}
.bars dd{margin:0}.bars div{display:flex;align-items:center;gap:.5rem;white-space:nowrap}.bars i{height:.9rem;
border-radius:2px;background:var(--one);width:calc(var(--share)*(100% - 8.5rem))}
.plot{display:grid;grid-template-columns:auto 1fr;column-gap:.5rem;font-size:.85rem}.plot svg{width:100%;height:14rem;
overflow:visible}.plot path{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round;
vector-effect:non-scaling-stroke}.plot .rule{stroke:var(--rule);stroke-width:1}.plot .dot{stroke-width:6}
.plot .up{display:flex;flex-direction:column;justify-content:space-between;text-align:right;margin:-.65rem 0}
.plot .along{grid-column:2;position:relative;height:1.5rem}.along span{position:absolute;left:var(--at);
transform:translateX(calc(-1*var(--at)));white-space:nowrap}.plot .legend{grid-column:1/3;display:flex;
gap:1.2rem;margin-bottom:1rem}.legend :last-child{margin-left:auto}
.legend i{display:inline-block;width:.8rem;height:.8rem;margin-right:.4rem;
border-radius:2px}
@media(max-width:40rem){td,th{padding-right:.7rem}.grid td{padding:.35rem}.bars{
grid-template-columns:1fr;gap:0}.bars dd{margin-bottom:.8rem}}"""
COLORS = [f"var(--{name})" for name in ("one", "two", "three", "four")]


class Server(Engine):
    def __init__(self, url, user, authority):
        self.url, self.authority, self.user = url.rstrip("/"), authority, user

    def headers(self):
        return {"X-ClickHouse-User": self.user, "X-ClickHouse-Key": os.environ.get("CLICKHOUSE_PASSWORD", "")}


class NotDrawable(Exception):
    """A chart would be wrong."""


def numbers(types):
    """Returns the places of the columns with numbers."""
    return [place for place, name in enumerate(types) if re.match(r"(Nullable\()?(U?Int|Float|Decimal)", name)]


def check_finite(columns, rows, places):
    for row in rows:
        for place in places:
            if not math.isfinite(float(row[place])):
                raise NotDrawable(f"{columns[place]} is {row[place]} for {' · '.join(row[:places[0]])}")


def shown(value):
    """Returns the text of a value, with separators in large numbers."""
    return html.escape(re.sub(r"(?<=\d)(?=(\d{3})+$)", ",", value) if value.isdigit() else value)


def bars(columns, rows, count):
    """Draws a bar for each number of each row from the column `count`, with its share of the row's first number."""
    top, lines = max(float(value) for row in rows for value in row[count:]) or 1, []
    for row in rows:
        lines.append(f"<dt>{html.escape(' · '.join(row[:count]))}</dt><dd>")
        for name, value in zip(columns[count:], row[count:]):
            share = f" ({float(value) / (float(row[count]) or 1):.0%})" if name != columns[count] else ""
            unit = f" {name}{share}" if len(row) > count + 1 else ""
            lines.append(f'<div><i style="--share:{float(value) / top:.3f}"></i>{shown(value)}{unit}</div>')
        lines.append("</dd>")
    return f'<dl class="bars">{"".join(lines)}</dl>'


def line(columns, rows, value):
    """Draws a line of the column `value` over the days of the first column, for each value of the columns between."""
    series = collections.defaultdict(dict)
    for row in rows:
        series[" ".join(row[1:value])][row[0]] = float(row[value])
    days = sorted({row[0] for row in rows})
    largest = max(value for points in series.values() for value in points.values()) or 1
    along = {day: 100 * index / (len(days) - 1) if len(days) > 1 else 50 for index, day in enumerate(days)}
    unit = 10 ** math.floor(math.log10(largest))
    top = next(unit * step for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if unit * step >= largest)
    svg, legend = ['<path class="rule" d="M0 0H100M0 50H100M0 100H100"/>'], []
    for color, (name, points) in zip(itertools.cycle(COLORS), sorted(series.items())):
        places = {day: f"{at:.2f} {100 - 100 * points.get(day, 0) / top:.2f}" for day, at in along.items()}
        svg.append(f'<g stroke="{color}"><path class="line" d="M{"L".join(places.values())}"/>')
        svg += [f'<path class="dot" d="M{places[day]}h0"><title>{day}, {html.escape(name)}: {value:g}</title></path>'
                for day, value in points.items()]
        svg.append("</g>")
        legend.append(f'<span><i style="background:{color}"></i>{html.escape(name)}</span>')
    named = "".join(f'<span style="--at:{along[day]:.0f}%">{datetime.date.fromisoformat(day):%b %-d}</span>'
                    for day in days[::math.ceil((len(days) - 1) / 4) or 1])
    legend.append(f"<span>{'–'.join(sorted({days[0][:4], days[-1][:4]}))}</span>")
    return (f'<div class="plot"><div class="legend">{"".join(legend)}</div>'
            f'<div class="up"><span>{top:,g}</span><span>{top / 2:,g}</span><span>0</span></div>'
            f'<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img">{"".join(svg)}</svg>'
            f'<div class="along">{named}</div></div>')


def grid(columns, rows, _):
    """Draws the third column as a cell for each pair of the first two, with its share of the first cell of its line."""
    values = {(row[0], int(row[1])): int(row[2]) for row in rows}
    places = range(max(place for _, place in values) + 1)
    titles = "".join(f"<th>{place}</th>" for place in places)
    lines = [f"<tr><th>{columns[0].replace('_', ' ')}</th><th colspan={len(places)}>{columns[1].replace('_', ' ')}</th>"
             f"</tr><tr><th></th>{titles}</tr>"]
    for name in sorted({row[0] for row in rows}):
        shares = {place: values[name, place] / values[name, 0] for place in places if (name, place) in values}
        lines.append(f'<tr><th scope="row">{html.escape(name)}</th>' + "".join(
            f'<td style="--share:{10 + 40 * shares[place]:.0f}%">{values[name, place]:,} ({shares[place]:.0%})</td>'
            if place in shares else "<th></th>" for place in places) + "</tr>")
    return f'<div class="scroll"><table class="grid">{"".join(lines)}</table></div>'


def table(columns, rows, places, limit=100):
    kinds = ["number" if place in places else
             "long" if any(len(row[place]) > 24 for row in rows) else "" for place in range(len(columns))]
    titles = "".join(f'<th class="{kind}">{html.escape(name.replace("_", " "))}</th>'
                     for kind, name in zip(kinds, columns))
    cells = "".join("<tr>" + "".join(f'<td class="{kind}">{(shown if kind == "number" else html.escape)(value)}</td>'
                                     for kind, value in zip(kinds, row)) + "</tr>" for row in rows[:limit])
    more = f"<p>The first {limit} of {len(rows):,} rows.</p>" if len(rows) > limit else ""
    return f'<div class="scroll"><table><tr>{titles}</tr>{cells}</table></div>{more}'


def page(engine, source, notes):
    parts, links = [], []
    for name, kind, title, statement in analysts.queries():
        columns, types, *rows = engine.query(statement + " FORMAT TabSeparatedWithNamesAndTypes")
        places = numbers(types)
        heading = html.escape(name.replace("-", " ").capitalize())
        links.append(f'<a href="#{name}">{heading}</a>')
        parts.append(f'<section id="{name}"><h2>{heading}</h2><p>{html.escape(title[0].upper() + title[1:])}.'
                     f'{notes.get(name, "")}</p>')
        query = f"<pre>{html.escape(statement)}</pre></details></section>"
        if not rows:
            parts.append(f"<p><b>No rows.</b></p><details><summary>Query</summary>{query}")
        elif kind == "table":
            parts.append(f"{table(columns, rows, places)}<details><summary>Query</summary>{query}")
        else:
            try:
                check_finite(columns, rows, places)
                parts.append({"bars": bars, "line": line, "grid": grid}[kind](columns, rows, places[0]))
            except NotDrawable as error:
                parts.append(f"<p><b>No chart: {html.escape(str(error))}.</b></p>")
            parts.append(f"<details><summary>Values and query</summary>{table(columns, rows, places)}{query}")
    return ('<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>Tracked events</title><style>{STYLE}</style><h1>Tracked events</h1><p>{html.escape(source)} "
            f"<time>{datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M} UTC</time></p><nav>{''.join(links)}</nav>"
            + "\n".join(parts) + "\n</html>\n")


def write(place, output, kind, *rest):
    notes = {}
    if kind == "replay":
        engine = Modern(place)
        engine.create_tables()
        if rest and rest[0]:
            Producer(place, "report", Clickstream.read(rest[0]), engine).deliver_all()
            source = os.path.basename(rest[0])
        else:
            analysts.load(place, engine, analysts.FAULTY)
            source = "a generated clickstream"
            note = " The installation “invalid” was added, with missing events and rows that break the plan."
            notes = {"completeness": note, "data-quality": note}
        source = f"Replay of {source}."
        notes["latency"] = " In a replay, it is the age of the recorded actions."
        analysts.create_views(engine)
    else:
        engine = Server(kind, *rest)
        source = f"{engine.url},"
    text = page(engine, source, notes)
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)
    print(f"report: {output}")


def main(*arguments):
    try:
        with contextlib.closing(Workplace()) as place:
            write(place, *arguments)
    except (Failure, OSError) as failure:
        sys.exit(f"report: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main(*sys.argv[1:])
