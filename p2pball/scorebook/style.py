"""The page's style sheet: for phones and desks, light and dark, and for paper."""

STYLE = """
:root { --ink: #1b1f24; --soft: #57606a; --rule: #d0d7de; --paper: #ffffff; --mark: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --soft: #9da7b1; --rule: #30363d; --paper: #0d1117; --mark: #6cb6ff; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 64rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
header p, figcaption, caption, .chance { color: var(--soft); }
.wide { overflow-x: auto; }
.wide:focus-visible { outline: 2px solid var(--mark); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
caption { text-align: left; }
td, th { padding: .15rem .5rem; text-align: right; border-bottom: 1px solid var(--rule); white-space: nowrap; }
tbody th, thead td { text-align: left; font-weight: normal; }
abbr { text-decoration: none; }
.pair { display: flex; flex-wrap: wrap; gap: 1rem 3rem; }
.pair > * { max-width: 100%; }
.ph { padding-left: 1rem; }
ul.notes, ol { list-style: none; padding: 0; }
ul.notes { margin: 1rem 0; }
ol { margin: 0; }
ol li { display: flex; gap: .6rem; align-items: baseline; padding: .15rem 0; }
li.scored { border-left: 3px solid var(--mark); padding-left: .5rem; }
.chance { white-space: nowrap; padding-left: .4rem; }
figure { margin: 0; }
figure.best { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; }
figure.best figcaption { flex: 1 1 16rem; color: var(--ink); }
svg.symbols { position: absolute; width: 0; height: 0; }
svg.small { flex: none; width: 1.6rem; height: 1.15rem; }
svg.curve { width: 100%; height: auto; min-height: 12rem; }
svg.diamond { flex: 0 1 22rem; width: 22rem; max-width: 100%; }
svg text { fill: var(--ink); font-size: 11px; }
svg.diamond text { font-size: 8px; }
svg .end { text-anchor: end; fill: var(--soft); }
svg .grid { stroke: var(--rule); fill: none; }
svg .half { stroke: var(--soft); stroke-dasharray: 4 3; }
svg .line { stroke: var(--mark); stroke-width: 2; fill: none; stroke-linejoin: round; }
svg .dot { fill: var(--mark); }
svg .best { fill: var(--paper); stroke: var(--mark); stroke-width: 3; }
.base { fill: var(--paper); stroke: var(--soft); stroke-width: 2; }
.on { fill: var(--mark); stroke: var(--mark); }
@media (max-width: 40rem) {
  td, th { padding: .15rem .3rem; }
  svg.curve text { font-size: 17px; }
}
dt { color: var(--soft); }
dd { margin: 0 0 .6rem; font-family: ui-monospace, monospace; }
@media print {
  :root { --ink: #000; --soft: #444; --rule: #999; --paper: #fff; --mark: #000; }
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  .wide { overflow: visible; }
  section { break-inside: auto; }
  figure, table, li, h2, h3 { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
""".strip()
