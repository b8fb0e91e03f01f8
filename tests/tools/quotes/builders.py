"""Publications of a model invented for these tests."""

PAPER = """<!DOCTYPE html><html><head><title>TwinNet</title></head><body>
<h1 class="ltx_title ltx_title_document">TwinNet: Learning with Twins</h1>
<h6 class="ltx_title ltx_title_abstract">Abstract</h6><p>We present TwinNet-7B, a language model with 7.1 billion parameters.</p>
<h2><span class="ltx_tag">1 </span>Introduction</h2><p>Earlier models such as GPT-3 have 175 billion parameters.</p>
<h2><span class="ltx_tag">2 </span>Training</h2><p>TwinNet-7B is trained on 300 billion tokens with a batch size of 1024 sequences of length 2048.
Its vocabulary has 32,000 entries, and its feed-forward size is 16,384. We train for 143,000 steps, with 2,000 steps of warm-up. The compute is <math alttext="2.56\\times 10^{22}"><mn>2.56</mn></math> FLOPs.</p>
<h3><span class="ltx_tag">2.1 </span>Hardware</h3><p>We trained TwinNet-7B on 256 A100 GPUs for 12 days in bfloat16.</p>
<figure class="ltx_table"><figcaption>Table 1: Sizes of TwinNet.</figcaption><table>
<tr><td>Model</td><td>Layers</td><td>Heads</td><td>d<sub>model</sub></td></tr>
<tr><td>TwinNet-1B</td><td>24</td><td>16</td><td>2048</td></tr><tr><td>TwinNet-7B</td><td>32</td><td>32</td><td>4096</td></tr></table></figure>
<h2><span class="ltx_tag">A </span>Fine-tuning</h2><p>We fine-tune for 3 epochs on 8 V100 GPUs.</p></body></html>"""


def pdf(*pages, end="%%EOF"):
    """Return a PDF of these pages, each a list of lines; without `end` it is cut off."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for lines in pages:
        drawn = "BT /F1 10 Tf 50 750 Td 14 TL " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    text, places = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(text))
        text += f"{number} 0 obj\n{content}\nendobj\n"
    start = len(text)
    text += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n" + "".join(
        f"{place:010} 00000 n \n" for place in places
    )
    text += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n{end}"
    return text.encode("latin-1") if end else text[: start // 2].encode("latin-1")
