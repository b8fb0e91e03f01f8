"""Convert LaTeX to plain words, for a formula in a web page, a cell or a paragraph."""

import re

SIGNS = {
    "times": "×", "cdot": "·", "sim": "~", "approx": "≈", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "pm": "±", "to": "→", "rightarrow": "→",
    "ldots": "…", "dots": "…", "cdots": "…", "infty": "∞", "alpha": "α", "beta": "β", "epsilon": "ε", "lambda": "λ", "mu": "μ", "sigma": "σ",
    "textasciitilde": "~", "quad": " ", "qquad": " ", "newline": " ", "textsuperscript": "^", "S": "§", "ell": "ℓ", "div": "/", "ast": "*", "LaTeX": "LaTeX", "TeX": "TeX",
}  # fmt: skip
# Commands whose argument is not part of the publication's text.
SILENT = re.compile(
    r"\\(?:begin|end|label|ref|eqref|autoref|cref|Cref|cite\w*|Cite\w*|nocite|vspace|hspace|includegraphics|input|include|bibliography\w*|pagestyle|thispagestyle|"
    r"setlength|addtolength|definecolor|rowcolor|cellcolor|color|fontsize|selectfont|cmidrule|cline|rule|arraystretch|phantom|hphantom|vphantom|url)"
    r"\*?(?:\([^()]*\))?(?:\[[^\[\]]*\])*(?:\{[^{}]*\})*"
)


def words(latex: str) -> str:
    r"""Return the words in LaTeX text. Keep powers, as ^, and the arguments of text commands; drop commands.

    >>> words(r"$2.56\times 10^{24}$ FLOP"), words(r"{\bf 20\%} of 1{,}024~\textsc{gpu}s"), words(r"d_{\text{model}}")
    ('2.56 × 10^24 FLOP', '20% of 1,024 gpus', 'd_model')
    """
    text = SILENT.sub("", latex)
    text = re.sub(r"~|\\[,;: ]", " ", text.replace("{,}", ",").replace("\\!", ""))
    text = text.replace("``", "“").replace("''", "”").replace("---", "—").replace("--", "–")
    text = re.sub(r"\\d?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"\1/\2 ", text)
    text = re.sub(r"\\multi(?:column|row)\s*(?:\[[^\]]*\])?\{[^{}]*\}\s*\{(?:[^{}]|\{[^{}]*\})*\}\s*(?=\{)", "", text)
    text = re.sub(r"\\multirow\s*(?:\[[^\]]*\])?\{[^{}]*\}\s*\*?\s*(?=\{)", "", text)
    text = re.sub(
        r"\\(?:textcolor|colorbox|href|hyperref|resizebox|scalebox|parbox|makebox)\*?(?:\[[^\]]*\])?\{[^{}]*\}(?=\s*\{)",
        "",
        text,
    )
    text = re.sub(r"\\(?:left|right|big|Big|bigg|Bigg)(?![A-Za-z])", "", text)
    text = re.sub(r"\\([A-Za-z]+)\*?(?:\[[^\[\]]*\])?\s?", lambda command: SIGNS.get(command[1], ""), text)
    text = re.sub(
        r"\\([%$&#_{}])", lambda command: {"{": "\x01", "}": "\x02", "$": "\x03"}.get(command[1], command[1]), text
    )
    text = text.replace("\\\\", " ").replace("\\", " ").replace("$", "").replace("{", "").replace("}", "")
    text = text.replace("\x01", "{").replace("\x02", "}").replace("\x03", "$")
    text = re.sub(r"\s*([×·])\s*", r" \1 ", text)
    return re.sub(r" +([,.;:)])", r"\1", " ".join(text.split()))
