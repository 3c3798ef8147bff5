"""A picture of a page, as SVG: draw-concepts and draw-performance share this.

It is a light card with dark text, so that it can be read on a light and on a dark page."""
import html

INK, PALE, BLUE, ORANGE, GREEN, GREY = "#1f2933", "#ffffff", "#cfe2f7", "#fbdcb8", "#cdebd3", "#e4e7eb"
DARK_BLUE, DARK_ORANGE, DARK_GREY = "#2f6fb5", "#d9822b", "#7b8794"  # bars and lines of charts


class Picture:
    def __init__(self, width, height, title):
        self.size, self.title, self.parts = (width, height), title, []

    def text(self, x, y, words, size=14, anchor="middle", weight="normal", color=INK):
        self.parts.append(f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
                          f'fill="{color}">{html.escape(words)}</text>')

    def box(self, x, y, width, height, words="", fill=GREY, size=14, dash=""):
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" fill="{fill}" '
                          f'stroke="{INK}" stroke-width="1.2"{dashed}/>')
        lines = words.split("\n") if words else []
        for i, line in enumerate(lines):
            self.text(x + width / 2, y + height / 2 + size * 0.35 + (i - (len(lines) - 1) / 2) * size * 1.3, line, size)

    def line(self, points, dash="", width=1.4, head=True, color=INK):
        path = " ".join(f"{x},{y}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        end = ' marker-end="url(#head)"' if head else ""
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" '
                          f'stroke-width="{width}"{dashed}{end}/>')

    def svg(self):
        width, height = self.size
        head = ('<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
                'orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#1f2933"/></marker>')
        return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                          'font-family="DejaVu Sans, Arial, sans-serif" role="img">',
                          f"<title>{html.escape(self.title)}</title>", f"<defs>{head}</defs>",
                          f'<rect width="{width}" height="{height}" rx="8" fill="{PALE}" stroke="#d0d5da"/>',
                          *self.parts, "</svg>", ""])
