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
from harness import Clickstream, Engine, Producer
from workplace import Failure, Workplace

with open(f"{os.path.dirname(os.path.abspath(__file__))}/report.css", encoding="utf-8") as file:
    STYLE = file.read()
PRODUCTS = {"DL": "Dolap Lite", "TY": "Trendyol", "SF": "Starfield"}
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


def shown(value, is_money=False):
    """Returns the text of a value, with separators in large numbers, and two digits after the point of an amount."""
    if is_money:
        return f"{float(value):,.2f}"
    return html.escape(re.sub(r"(?<=\d)(?=(\d{3})+$)", ",", value) if value.isdigit() else value)


def day(date):
    return f"{datetime.date.fromisoformat(date):%b %-d}"


def figures(columns, rows, *_):
    """Draws each row as a headline number."""
    return '<dl class="figures">' + "".join(
        f"<div><dt>{html.escape(name)}</dt><dd>{shown(value, name.startswith('revenue'))}</dd></div>"
        for name, value in rows) + "</dl>"


def bars(columns, rows, count, _):
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


def is_open(date, newest, weeks):
    """Returns whether the day or the week that begins at a date has not ended at the day of the newest action."""
    return newest < str(datetime.date.fromisoformat(date) + datetime.timedelta(6)) if weeks else newest <= date


def line(columns, rows, value, newest):
    """Draws a line of the column `value` over the days of the first column, for each value of the columns between.

    The line to a last day or week that has not ended is dashed.
    """
    series = collections.defaultdict(dict)
    for row in rows:
        series[" ".join(row[1:value])][row[0]] = float(row[value])
    days = sorted({row[0] for row in rows})
    largest = max(value for points in series.values() for value in points.values()) or 1
    along = {date: 100 * index / (len(days) - 1) if len(days) > 1 else 50 for index, date in enumerate(days)}
    unit = 10 ** math.floor(math.log10(largest))
    top = next(unit * step for step in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if unit * step >= largest)
    svg, legend = ['<path class="rule" d="M0 0H100M0 50H100M0 100H100"/>'], []
    for color, (name, points) in zip(itertools.cycle(COLORS), sorted(series.items())):
        places = {date: f"{at:.2f} {100 - 100 * points.get(date, 0) / top:.2f}" for date, at in along.items()}
        steps = list(places.values())
        whole = len(steps) - (len(steps) > 1 and is_open(days[-1], newest, columns[0] == "week"))
        svg.append(f'<g stroke="{color}"><path class="line" d="M{"L".join(steps[:whole])}"/>')
        if whole < len(steps):
            svg.append(f'<path class="line open" d="M{"L".join(steps[-2:])}"/>')
        svg += [f'<path class="dot" d="M{places[date]}h0"><title>{date}, {html.escape(name)}: {value:,g}</title></path>'
                for date, value in points.items()]
        svg.append("</g>")
        legend.append(f'<span><i style="background:{color}"></i>{html.escape(name)}</span>')
    named = "".join(f'<span style="--at:{along[date]:.0f}%">{day(date)}</span>'
                    for date in days[::math.ceil((len(days) - 1) / 4) or 1])
    legend.append(f"<span>{'–'.join(sorted({days[0][:4], days[-1][:4]}))}</span>")
    return (f'<div class="plot"><div class="legend">{"".join(legend)}</div>'
            f'<div class="up"><span>{top:,g}</span><span>{top / 2:,g}</span><span>0</span></div>'
            f'<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img">{"".join(svg)}</svg>'
            f'<div class="along">{named}</div></div>')


def grid(columns, rows, _, newest):
    """Draws the third column as a cell for each pair of the first two, with its share of the first cell of its line.

    A cell of a week that has not ended has an asterisk.
    """
    values = {(row[0], int(row[1])): int(row[2]) for row in rows}
    places = range(max(place for _, place in values) + 1)
    titles = "".join(f"<th>{place}</th>" for place in places)
    lines = [f"<tr><th>{columns[0].replace('_', ' ')}</th><th colspan={len(places)}>{columns[1].replace('_', ' ')}</th>"
             f"</tr><tr><th></th>{titles}</tr>"]
    for name in sorted({row[0] for row in rows}):
        shares = {place: values[name, place] / values[name, 0] for place in places if (name, place) in values}
        weeks = [str(datetime.date.fromisoformat(name) + datetime.timedelta(7 * place)) for place in places]
        lines.append(f'<tr><th scope="row">{html.escape(name)}</th>' + "".join(
            f'<td style="--share:{10 + 40 * shares[place]:.0f}%">{values[name, place]:,} ({shares[place]:.0%})'
            f'{"*" * is_open(weeks[place], newest, True)}</td>'
            if place in shares else "<th></th>" for place in places) + "</tr>")
    return f'<div class="scroll"><table class="grid">{"".join(lines)}</table></div>'


def table(columns, rows, places, limit=100):
    kinds = ["number" if place in places else
             "long" if any(len(row[place]) > 24 for row in rows) else "" for place in range(len(columns))]
    titles = "".join(f'<th class="{kind}">{html.escape(name.replace("_", " "))}</th>'
                     for kind, name in zip(kinds, columns))
    cells = "".join("<tr>" + "".join(
        f'<td class="{kind}">{shown(value, name == "total") if kind == "number" else html.escape(value)}</td>'
        for name, kind, value in zip(columns, kinds, row)) + "</tr>" for row in rows[:limit])
    more = f"<p>The first {limit} of {len(rows):,} rows.</p>" if len(rows) > limit else ""
    return f'<div class="scroll"><table><tr>{titles}</tr>{cells}</table></div>{more}'


def page(engine, source, hidden=()):
    parts, links = [], []
    oldest, newest, count = engine.query("SELECT min(day), max(day), count() FROM awesome.people")[0]
    for name, kind, title, statement in analysts.queries():
        if name in hidden:
            continue
        columns, types, *rows = engine.query(statement + " FORMAT TabSeparatedWithNamesAndTypes")
        if "product" in columns:
            place = columns.index("product")
            rows = [[*row[:place], PRODUCTS.get(row[place], row[place]), *row[place + 1:]] for row in rows]
        places, note = numbers(types), ""
        unit = "day" if columns[0] == "day" else "week"
        last = max(rows)[0] if rows and kind == "line" else newest
        if kind == "grid" and rows:
            last = str(analysts.monday(datetime.date.fromisoformat(newest)))
        if rows and kind in ("line", "grid") and is_open(last, newest, unit == "week"):
            mark = " and marked with *" if kind == "grid" else " and dashed" if min(rows)[0] < max(rows)[0] else ""
            note = f" The last {unit} is incomplete{mark}: the newest action is of {day(newest)}."
        heading = html.escape(name.replace("-", " ").capitalize())
        links.append(f'<a href="#{name}">{heading}</a>')
        title = html.escape(title[0].upper() + title[1:])
        parts.append(f'<section id="{name}"><h2>{heading}</h2><p>{title}.{note}</p>')
        query = f"<pre>{html.escape(statement)}</pre></details></section>"
        if not rows:
            parts.append(f"<p><b>None.</b></p><details><summary>Query</summary>{query}")
        elif kind == "table":
            parts.append(f"{table(columns, rows, places)}<details><summary>Query</summary>{query}")
        else:
            try:
                check_finite(columns, rows, places)
                draw = {"bars": bars, "numbers": figures, "line": line, "grid": grid}[kind]
                parts.append(draw(columns, rows, places[0], newest))
            except NotDrawable as error:
                parts.append(f"<p><b>No chart: {html.escape(str(error))}.</b></p>")
            parts.append(f"<details><summary>Values and query</summary>{table(columns, rows, places)}{query}")
    days = " to ".join(dict.fromkeys([day(oldest), day(newest)])) if count != "0" else ""
    title = "Actions of visitors" + (f", {days}, {newest[:4]}" if days else "")
    return ('<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            f"<title>{title}</title><style>{STYLE}</style><h1>{title}</h1><p>{html.escape(source)} "
            f"<time>{datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M} UTC</time></p><nav>{''.join(links)}</nav>"
            + "\n".join(parts) + "\n</html>\n")


def write(place, output, kind, *rest):
    hidden = ()
    if kind == "replay":
        engine = Modern(place)
        engine.create_tables()
        stream = Clickstream.read(rest[0]) if rest and rest[0] else analysts.clickstream()
        Producer(place, "report", stream, engine).deliver_all()
        source = f"Replay of {os.path.basename(rest[0]) if rest and rest[0] else 'a generated clickstream'}."
        hidden = ("latency", "clock-errors")  # they would show the age of the recorded actions
        analysts.create_views(engine)
    else:
        engine = Server(kind, *rest)
        source = f"{engine.url},"
    text = page(engine, source, hidden)
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
