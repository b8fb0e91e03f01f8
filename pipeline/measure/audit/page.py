"""What the site says of the audit, from rows of counters.csv."""

from collections import Counter as Tally
from collections.abc import Sequence
from html import escape
from typing import Any

from pipeline.measure.audit.case import Case
from pipeline.measure.audit.counters import Counter
from pipeline.measure.audit.verdicts import (
    FACTOR,
    NOT_INSTALLABLE,
    OUT_OF_SCOPE,
    PLUS_ELEMENTWISE,
    REFUSED,
    RIGHT,
    VERDICTS,
    ZERO,
)

PASSES = {
    "forward": "Forward pass",
    "backward": "Backward pass, with something trainable below",
    "first_backward": "Backward pass of a first layer, on raw input",
}
IN_SHORT = {"forward": "forward", "backward": "backward", "first_backward": "backward, first layer"}
SEVERAL_TIMES = 1.4  # a factor from which on a product must have been counted more than once
WORDS = {RIGHT: "right", PLUS_ELEMENTWISE: "right +", ZERO: "0, silently", REFUSED: "refused"}
Row = dict[str, Any]


def body(rows: Sequence[Row], cases: Sequence[Case], counters: Sequence[Counter]) -> str:
    """The content of the page, as HTML."""
    cells = {(row["case"], row["pass"], row["counter"]): row for row in rows}
    versions = {row["counter"]: row["version"] for row in rows}
    run = [counter for counter in counters if counter.count]
    parts = [
        f"<p>{len(cases)} small networks, each counted by hand (a slow loop that counts every multiply-add of every output"
        " element, and every gradient that it needs), by FLOP Ledger's formulas, and by public counters. The formulas equal"
        " the loop in every case, forward and backward. A multiply-add is 2 FLOP; a causal mask or a window counts only the"
        " query-key pairs of its definition; biases, activations, norms and pooling are not in the count. All counts are of"
        " the whole batch. As data: <a href='../downloads/counters.csv'>counters.csv</a>. Made by <code>make audit</code>.</p>",
        "<h2>Legend</h2>",
        _legend(),
        "<h2>Summary</h2>",
        _summary(rows, run, versions),
        "<h2>The P100 study's finding, reproduced</h2>",
        _repeated_mistakes(cells, rows, run),
    ]
    for which, words in PASSES.items():
        shown = [counter for counter in run if which == "forward" or counter.counts_backward]
        parts += [f"<h2>{words}</h2>", _table(which, [case for case in cases if which in case.passes], shown, cells)]
    parts += ["<h2>Not audited</h2>", _not_audited(rows, counters)]
    return "\n".join(parts)


def _legend() -> str:
    lines = [
        ("right", VERDICTS[RIGHT]),
        ("right +", VERDICTS[PLUS_ELEMENTWISE]),
        ("× 0.5", "counted / by hand, with the mistake that yields this number, where one is known"),
        ("right as MACs", "half the FLOP, or those of one example, which is the documented unit of the counter"),
        ("0, silently", VERDICTS[ZERO]),
        ("refused", VERDICTS[REFUSED] + " (in full in the tooltip and in the data)"),
    ]
    return "<ul>" + "".join(f"<li><b>{escape(word)}</b>: {escape(meaning)}</li>" for word, meaning in lines) + "</ul>"


def _word(row: Row) -> tuple[str, str]:
    verdict, own = row["verdict"], row["verdict_in_own_unit"]
    if verdict in (RIGHT, PLUS_ELEMENTWISE):
        return WORDS[verdict], "right"
    if verdict == FACTOR and own in (RIGHT, PLUS_ELEMENTWISE):
        unit = "mean MACs" if "one example" in row["note"] else "MACs"
        return f"× {_short(row['factor'])}, right{' +' if own == PLUS_ELEMENTWISE else ''} as {unit}", "own"
    if verdict == FACTOR:
        return f"× {_short(row['factor'])}", "factor"
    return WORDS[verdict], {ZERO: "zero", REFUSED: "refused"}[verdict]


def _short(factor: str) -> str:
    number = float(factor)
    if 0.95 < number < 1.05:
        return f"{number:.4f}"
    return f"{number:.2g}" if number < 10 else f"{number:.0f}"


def _cell(row: Row) -> str:
    word, kind = _word(row)
    title = f"counted {row['counted']}" if row.get("counted") else row["note"]
    note = row["note"] if kind in ("factor", "zero") else ""
    if row["verdict"] == REFUSED:
        note = row["note"].split(":")[0]
    small = f"<small>{escape(note)}</small>" if note else ""
    return f'<td class="{kind}" title="{escape(title)}">{word}{small}</td>'


def _table(which: str, cases: Sequence[Case], counters: Sequence[Counter], cells: dict[Any, Row]) -> str:
    head = "".join(f'<th scope="col">{escape(counter.name)}</th>' for counter in counters)
    lines = []
    for case in cases:
        row = [cells[case.name, which, counter.name] for counter in counters]
        name = f'<th scope="row"><b>{escape(case.kind)}</b> {escape(case.condition)}</th>'
        number = f'<td class="n">{case.by_hand(which):,}</td>'
        lines.append(f"<tr>{name}{number}{''.join(map(_cell, row))}</tr>")
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead><tr><th scope="col">case</th><th scope="col">by hand and ours, FLOP</th>{head}</tr>'
        f"</thead><tbody>\n" + "\n".join(lines) + "\n</tbody></table></div>"
    )


def _summary(rows: Sequence[Row], counters: Sequence[Counter], versions: dict[str, str]) -> str:
    lines = []
    for counter in counters:
        for which, words in IN_SHORT.items():
            mine = [row for row in rows if row["counter"] == counter.name and row["pass"] == which and row.get("batch")]
            if mine:
                lines.append(_summary_line(counter, words, mine, versions[counter.name]))
    heads = (
        "counter", "documented unit", "pass", "cases", "right", "right +", "right as MACs", "wrong", "silently 0", "refused", "lowest and highest factor",
    )  # fmt: skip
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead><tr>{head}</tr></thead><tbody>\n'
        + "\n".join(lines)
        + "\n</tbody></table></div>"
    )


def _repeated_mistakes(cells: dict[Any, Row], rows: Sequence[Row], counters: Sequence[Counter]) -> str:
    def counted(counter: Counter, case: str) -> str:
        return str(cells[case, "forward", counter.name]["counted"])

    def named(found: Sequence[Counter]) -> str:
        return ", ".join(escape(counter.name) for counter in found) or "none"

    def mine(counter: Counter) -> list[Row]:
        return [row for row in rows if row["counter"] == counter.name and row["batch"]]

    plain, answering = "linear: plain", [counter for counter in counters if counted(counter, "linear: plain")]
    mistakes = {
        "A multiply-add counted as 1 (a linear layer)": [
            counter for counter in answering if float(cells[plain, "forward", counter.name]["factor"]) == 0.5
        ],
        "An operation missed (some layer's products are 0, silently)": [
            counter for counter in answering if any(row["verdict"] == ZERO for row in mine(counter))
        ],
        "Attention scores missed": [
            counter for counter in answering if any("scores missed" in row["note"] for row in mine(counter))
        ],
        f"An operation counted several times (a factor of {SEVERAL_TIMES} or more)": [
            counter
            for counter in answering
            if any(_word(row)[1] == "factor" and float(row["factor"] or 0) >= SEVERAL_TIMES for row in mine(counter))
        ],
        "A count that does not grow with the batch (1, 64 and 128 give the same)": [
            counter
            for counter in answering
            if counted(counter, plain) == counted(counter, "linear: batch 64") == counted(counter, "linear: batch 128")
        ],
        "A count that does not grow with the sequence (1 and 16 positions give the same)": [
            counter for counter in answering if counted(counter, plain) == counted(counter, "linear: 16 positions")
        ],
    }
    return (
        "<p>The P100 study (Hobbhahn, <a href='https://epochai.org/blog/measure-FLOPs-empirically'>How to measure FLOP/s for neural networks"
        " empirically?</a>, 2021) found implausible counts and blamed its profiler. Counters with such mistakes:</p><dl>"
        + "".join(f"<dt>{escape(mistake)}</dt><dd>{named(found)}</dd>" for mistake, found in mistakes.items())
        + "</dl>"
    )


def _summary_line(counter: Counter, words: str, mine: Sequence[Row], version: str) -> str:
    kinds = Tally(_word(row)[1] for row in mine)
    exact = sum(row["verdict"] == RIGHT for row in mine)
    wrong = [float(row["factor"]) for row in mine if _word(row)[1] == "factor"]
    worst = f"{_short(str(min(wrong)))} to {_short(str(max(wrong)))}" if wrong else ""
    counts = (
        len(mine),
        exact,
        kinds["right"] - exact,
        kinds["own"],
        kinds["factor"],
        kinds["zero"],
        kinds["refused"],
        worst,
    )
    sums = "".join(f'<td class="sum">{each or ""}</td>' for each in counts)
    name = (
        f'<th scope="row"><b>{escape(counter.name)}</b><small>{escape(counter.package)} {escape(version)}</small></th>'
    )
    return f'<tr>{name}<td class="says">{escape(counter.documented)}</td><td>{words}</td>{sums}</tr>'


def _not_audited(rows: Sequence[Row], counters: Sequence[Counter]) -> str:
    lines = []
    words = {NOT_INSTALLABLE: "not installable", OUT_OF_SCOPE: "out of scope"}
    for counter in counters:
        for row in rows:
            if row["counter"] == counter.name and not counter.count:
                note = escape(row["note"])
                lines.append(f"<dt>{escape(counter.name)}: {words[row['verdict']]}</dt><dd>{note}</dd>")
    forward = ", ".join(counter.name for counter in counters if counter.count and not counter.counts_backward)
    lines.append(f"<dt>Backward passes: out of scope</dt><dd>{escape(forward)} count forward passes only.</dd>")
    return "<dl>" + "".join(lines) + "</dl>"
