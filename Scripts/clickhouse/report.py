"""Writes the analysts' queries as one page with charts: report.py OUTPUT (URL USER [CA] | replay FILE)."""

import collections
import datetime
import html
import os
import sys

import analysts
from engines import Modern
from harness import Clickstream, Engine, Failure, Producer, Workplace

COLORS = ("#2a78d6", "#d6662a", "#2a9d6a", "#8a5bd6")
STYLE = """body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c1c1e;
background:#fff}h2{margin-top:2.5rem;font-size:1.2rem}p{color:#555}div{overflow-x:auto}svg{width:100%;min-width:40rem;
height:auto}table{border-collapse:collapse;font-size:.85rem}td,th{padding:.2rem .8rem .2rem 0;text-align:left;
border-bottom:1px solid #8884}td.number{text-align:right;font-variant-numeric:tabular-nums}text{font:12px system-ui,
sans-serif;fill:currentColor}summary{cursor:pointer;color:#555}@media(prefers-color-scheme:dark){body{
background:#1c1c1e;color:#eee}p,summary{color:#aaa}}"""


class Server(Engine):
    def __init__(self, url, user, authority):
        self.url, self.authority, self.user = url.rstrip("/"), authority, user

    def headers(self):
        return {"X-ClickHouse-User": self.user, "X-ClickHouse-Key": os.environ.get("CLICKHOUSE_PASSWORD", "")}


def text(x, y, value, anchor="start"):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{html.escape(str(value))}</text>'


def is_number(value):
    return value.replace(".", "", 1).lstrip("-").isdigit()


def split(columns, rows):
    """Returns the titles of the labels and of the values: the last columns, whose values are all numbers."""
    first = next((place for place in range(len(columns)) if all(is_number(row[place]) for row in rows)), len(columns))
    return columns[:first], columns[first:]


def draw(svg, height):
    return f'<svg viewBox="0 0 900 {height:.0f}" role="img">{"".join(svg)}</svg>'


def bars(columns, rows):
    labels, values = split(columns, rows)
    count, svg, y = len(labels), [], 16
    top = max((float(value) for row in rows for value in row[count:]), default=0) or 1
    for row in rows:
        svg.append(text(0, y, " · ".join(row[:count])))
        for number, value in enumerate(row[count:]):
            width = 520 * float(value) / top
            svg.append(f'<rect x="250" y="{y - 11}" width="{width:.0f}" height="14" fill="{COLORS[number % 4]}"/>')
            svg.append(text(256 + width, y, f"{value} {values[number]}"))
            y += 18
        y += 6
    return draw(svg, y)


def line(columns, rows):
    series = collections.defaultdict(dict)
    for row in rows:
        series[row[1]][row[0]] = float(row[2])
    days = sorted({row[0] for row in rows})
    top = max(value for points in series.values() for value in points.values()) or 1
    svg = [text(0, 20, f"{top:g}"), text(0, 222, 0), text(40, 245, days[0]), text(890, 245, days[-1], "end"),
           '<path d="M40 16V220H890" fill="none" stroke="currentColor" opacity=".3"/>']
    for number, (name, points) in enumerate(sorted(series.items())):
        places = [(40 + 850 * index / max(len(days) - 1, 1), 220 - 204 * points.get(day, 0) / top)
                  for index, day in enumerate(days)]
        path = " ".join(f"{x:.0f},{y:.0f}" for x, y in places)
        svg.append(f'<polyline points="{path}" fill="none" stroke="{COLORS[number % 4]}" stroke-width="2"/>')
        svg.append(f'<rect x="{60 + number * 120}" y="0" width="12" height="12" fill="{COLORS[number % 4]}"/>')
        svg.append(text(78 + number * 120, 11, f"{name}, {columns[2]}"))
    return draw(svg, 250)


def grid(columns, rows):
    lines, places = sorted({row[0] for row in rows}), sorted({int(row[1]) for row in rows})
    values, svg = {(row[0], int(row[1])): int(row[2]) for row in rows}, [text(0, 16, columns[0])]
    for number, place in enumerate(places):
        title = f"{columns[1].replace('_', ' ')}: " if number == 0 else ""
        svg.append(text(150 + number * 80, 16, f"{title}{place}", "middle"))
    for row, name in enumerate(lines):
        svg.append(text(0, 45 + row * 32, name))
        whole = values.get((name, 0)) or 1
        for number, place in enumerate(places):
            if (name, place) in values:
                share = values[name, place] / whole
                svg.append(f'<rect x="{112 + number * 80}" y="{26 + row * 32}" width="76" height="28" '
                           f'fill="{COLORS[0]}" opacity="{0.15 + 0.6 * share:.2f}"/>')
                svg.append(text(150 + number * 80, 45 + row * 32, f"{values[name, place]} ({share:.0%})", "middle"))
    return draw(svg, 40 + len(lines) * 32)


def table(columns, rows):
    cells = "".join(
        "<tr>" + "".join(f'<td{" class=number" if is_number(value) else ""}>{html.escape(value)}</td>' for value in row)
        + "</tr>" for row in rows)
    return f'<table><tr>{"".join(f"<th>{html.escape(name)}</th>" for name in columns)}</tr>{cells}</table>'


def page(engine, source):
    parts = [f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
             f"<title>Tracked events</title><style>{STYLE}</style><h1>Tracked events</h1>"
             f"<p>{html.escape(source)}, {datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M} UTC</p>"]
    for name, kind, title, statement in analysts.queries():
        columns, *rows = engine.query(statement + " FORMAT TabSeparatedWithNames")
        parts.append(f"<h2>{html.escape(name.replace('-', ' ').capitalize())}</h2><p>{html.escape(title)}</p>")
        if not rows:
            parts.append("<p><b>No rows.</b></p>")
        elif kind == "table":
            parts.append(f"<div>{table(columns, rows)}</div>")
        else:
            chart = {"bars": bars, "line": line, "grid": grid}[kind](columns, rows)
            parts.append(f"<div>{chart}</div><details><summary>Values</summary>{table(columns, rows)}</details>")
    return "\n".join(parts) + "\n</html>\n"


def main(output, kind, *rest):
    place = Workplace()
    try:
        if kind == "replay":
            engine = Modern(place)
            engine.create_tables()
            if rest and rest[0]:
                if not Producer(place, "report", Clickstream(open(rest[0], encoding="utf-8").read()), engine).deliver():
                    raise Failure("the clickstream is not delivered")
                source = f"Replay of {os.path.basename(rest[0])}"
            else:
                analysts.load(place, engine)
                source = "Replay of a generated clickstream"
            analysts.create_views(engine)
        else:
            engine = Server(kind, *rest)
            source = engine.url
        with open(output, "w", encoding="utf-8") as file:
            file.write(page(engine, source))
        print(f"report: {output}")
    except (Failure, OSError) as failure:
        sys.exit(f"report: {failure}")
    finally:
        place.close()


main(*sys.argv[1:])
