extension InspectorPage {
    /// The style of the page, in light and dark.
    ///
    /// The contrast of each text color is at least 4.5.
    static let style = #"""

        :root { color-scheme: light dark; --row: 28px;
          --ground: #ffffff; --soft: #f4f5f7; --line: #d8dbe0; --text: #1c1f24; --dim: #59616c; --pick: #dbe8fd;
          --link: #0b57d0; --good: #146c2e; --wait: #8a4b00; --bad: #b3261e; --mark: #6d3fc0; }
        @media (prefers-color-scheme: dark) { :root {
          --ground: #15181c; --soft: #1e2227; --line: #363c44; --text: #e4e7eb; --dim: #a3abb6; --pick: #23406b;
          --link: #8ab4f8; --good: #7ad391; --wait: #f2b35c; --bad: #ff9c94; --mark: #c9a8ff; } }
        * { box-sizing: border-box; }
        html, body { height: 100%; margin: 0; }
        body { display: flex; flex-direction: column; background: var(--ground); color: var(--text);
          font: 14px/1.45 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; }
        code, pre, kbd, .mono, #grid, textarea { font-family: ui-monospace, "SF Mono", Menlo, "Liberation Mono",
          monospace; font-size: 12.5px; }
        .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        [hidden] { display: none !important; }
        :focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
        header { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 8px 12px;
          background: var(--soft); border-bottom: 1px solid var(--line); }
        #live { display: inline-flex; align-items: center; gap: 6px; font-weight: 600; }
        #lamp { width: 9px; height: 9px; border-radius: 50%; background: var(--dim); }
        #lamp.on { background: var(--good); } #lamp.off { background: var(--bad); }
        #count { color: var(--dim); white-space: nowrap; font-variant-numeric: tabular-nums; }
        #search { position: relative; flex: 1 1 220px; min-width: 0; }
        #filter { width: 100%; padding: 5px 8px; border: 1px solid var(--line); border-radius: 6px;
          background: var(--ground); color: var(--text); font: inherit; }
        #filter::placeholder { color: var(--dim); opacity: 1; }
        #completions { position: absolute; z-index: 6; left: 0; right: 0; top: calc(100% + 4px); margin: 0;
          padding: 4px; list-style: none; background: var(--ground); border: 1px solid var(--line); border-radius: 8px;
          box-shadow: 0 6px 24px #0004; }
        #completions li { padding: 4px 8px; border-radius: 5px; overflow: hidden; text-overflow: ellipsis;
          white-space: nowrap; cursor: pointer; font: 12.5px ui-monospace, Menlo, "Liberation Mono", monospace; }
        #completions li:hover { background: var(--soft); }
        #completions li[aria-selected="true"] { background: var(--pick); }
        #problems { flex: none; padding: 6px 12px; color: var(--wait); background: var(--soft); white-space: pre-line;
          overflow-wrap: anywhere; border-bottom: 1px solid var(--line); }
        .bar { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
        button, .button, summary, select, .pop input { padding: 4px 10px; border: 1px solid var(--line);
          border-radius: 6px; background: var(--ground); color: var(--text); font: inherit; cursor: pointer;
          text-decoration: none; white-space: nowrap; }
        .pop input { cursor: text; }
        button:hover, .button:hover, summary:hover { border-color: var(--dim); }
        button[aria-pressed="true"] { background: var(--pick); border-color: var(--link); }
        button:disabled { color: var(--dim); cursor: not-allowed; border-style: dashed; }
        kbd { color: var(--dim); font-size: 11px; }
        button[aria-pressed="true"] kbd { color: inherit; }
        .menu { position: relative; } summary { list-style: none; } summary::-webkit-details-marker { display: none; }
        #active { color: var(--bad); }
        .pop { position: absolute; right: 0; top: calc(100% + 6px); z-index: 5;
          display: flex; flex-direction: column;
          gap: 8px; width: max-content; max-width: calc(100vw - 24px); padding: 12px; background: var(--ground);
          border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 6px 24px #0004; }
        .pop a { color: var(--link); }
        .pop label { display: grid; grid-template-columns: 120px 190px; align-items: center; gap: 8px; }
        .pop select, .pop input { width: 100%; }
        #fault-list { margin: 0; padding: 0; list-style: none; } #fault-list:empty { display: none; }
        #network { padding: 6px 12px; color: var(--bad); font-weight: 600; border-bottom: 1px solid var(--line); }
        main { flex: 1 1 0; display: flex; min-height: 0; }
        #list { position: relative; flex: 1 1 0; min-width: 0; display: flex; flex-direction: column; }
        #head, .row { display: grid; grid-template-columns: var(--columns, 96px 44px 1fr); align-items: center;
          column-gap: 12px; padding: 0 12px; }
        #head { height: 30px; color: var(--dim); font-size: 12px; font-weight: 600;
          border-bottom: 1px solid var(--line); flex: none; overflow: hidden; scrollbar-gutter: stable; }
        #head span { overflow: hidden; text-overflow: ellipsis; } #head span:last-child { text-align: right; }
        #scroll { flex: 1 1 0; overflow-y: auto; overflow-x: hidden; overflow-anchor: none;
          scrollbar-gutter: stable; }
        #grid { position: relative; }
        #grid:focus-visible { outline: none; }
        .row { position: absolute; left: 0; right: 0; top: 0; height: var(--row); cursor: pointer;
          border-bottom: 1px solid color-mix(in srgb, var(--line) 50%, transparent); }
        .row > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .row:hover { background: var(--soft); }
        .row.here { background: var(--pick); }
        #grid:focus-visible .row.here { box-shadow: inset 3px 0 0 var(--link); }
        .row.open { box-shadow: inset 3px 0 0 var(--link); }
        .row.marked .event::before { content: "◆ "; color: var(--mark); }
        .time, .product { color: var(--dim); font-variant-numeric: tabular-nums; }
        .row.here .time, .row.here .product, .row.here .dim { color: inherit; }
        .event { font-family: system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; font-size: 14px; }
        .number { text-align: right; font-weight: 600; }
        .narrow .row { align-content: center; row-gap: 2px; }
        .narrow .states { grid-column: 1 / -1; font-size: 12px; }
        .good { color: var(--good); } .wait { color: var(--wait); } .bad { color: var(--bad); }
        .dim { color: var(--dim); }
        .badge { padding: 0 7px; border: 1px solid; border-radius: 999px; color: var(--wait); font-size: 12px;
          font-weight: 400; white-space: nowrap; }
        .row.here .good { color: inherit; }
        #fresh { position: absolute; z-index: 2; top: 2px; right: 48px; height: 26px; padding: 0 12px;
          border-radius: 999px;
          background: var(--link); color: var(--ground); border-color: var(--link); font-weight: 600; }
        #gap { padding: 4px 12px; color: var(--wait); border-bottom: 1px solid var(--line); }
        #empty, #none { position: absolute; inset: 60px 0 auto; padding: 0 24px; text-align: center; color: var(--dim);
          pointer-events: none; }
        #empty { line-height: 1.8; } #empty strong { color: var(--text); font-size: 16px; }
        #receiver, #line { color: var(--text); font-size: 14px; pointer-events: auto; user-select: all; }
        #detail { flex: 0 0 46%; max-width: 760px; min-width: 0; display: flex; flex-direction: column; gap: 8px;
          padding: 10px 14px 0; border-left: 1px solid var(--line); }
        .title { display: flex; justify-content: space-between; gap: 8px; align-items: start; }
        h2 { margin: 0; font-size: 16px; overflow-wrap: anywhere; } h2:focus { outline: none; }
        h3 { margin: 14px 0 4px; font-size: 13px; } h3:first-child { margin-top: 0; }
        #who, #grouped { margin: 0; color: var(--dim); font-size: 12.5px; overflow-wrap: anywhere; }
        #copied { color: var(--good); font-size: 12.5px; }
        #tabs { display: flex; flex-wrap: wrap; gap: 2px; border-bottom: 1px solid var(--line); }
        #tabs button { padding: 4px 8px; font-size: 13px; border: 0; border-radius: 0;
          border-bottom: 2px solid transparent; background: none; }
        #tabs button[aria-selected="true"] { border-bottom-color: var(--link); font-weight: 600; }
        #panel { flex: 1 1 0; overflow: auto; padding-bottom: 14px; }
        #panel pre { margin: 0; padding: 10px; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--soft);
          border-radius: 6px; }
        table { width: 100%; border-collapse: collapse; table-layout: fixed; }
        td, th { padding: 3px 8px 3px 0; text-align: left; vertical-align: top; overflow-wrap: anywhere;
          border-bottom: 1px solid color-mix(in srgb, var(--line) 50%, transparent); }
        th { color: var(--dim); font-size: 12px; } th:nth-child(1) { width: 32%; } th:nth-child(3) { width: 26%; }
        .attempts th:nth-child(1) { width: 108px; } .attempts th:nth-child(3) { width: 76px; }
        td { font-size: 12.5px; } tr.differs td { background: var(--soft); }
        .tree summary { padding: 0; border: 0; background: none; font: inherit; color: var(--dim); }
        .tree summary::before { content: "▸ "; } .tree[open] > summary::before { content: "▾ "; }
        .tree > .inner { padding-left: 14px; border-left: 1px solid var(--line); }
        .finding { margin: 0 0 8px; padding: 8px 10px; border-left: 3px solid var(--bad); background: var(--soft); }
        .finding.warning { border-left-color: var(--wait); } .finding p { margin: 4px 0 0; }
        .severity { color: var(--bad); font-weight: 600; } .warning .severity { color: var(--wait); }
        .finding code { font-weight: 600; }
        footer { position: relative; max-height: 24vh; overflow-y: auto; background: var(--soft);
          border-top: 1px solid var(--line); }
        #lanes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 400px), 1fr)); gap: 0 18px;
          margin: 0; padding: 4px 12px; list-style: none; font-size: 12.5px; } #lanes:empty { display: none; }
        #lanes li { padding: 2px 0; } #lanes b { font-weight: 600; }
        dialog { max-width: min(620px, calc(100vw - 24px)); border: 1px solid var(--line); border-radius: 10px;
          background: var(--ground); color: var(--text); }
        dialog::backdrop { background: #0006; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: 6px 16px; } dt { font-weight: 600; }
        dd { margin: 0; } textarea { width: min(560px, 80vw); height: 50vh; }
        @media (max-width: 760px) {
          header { padding: 8px; gap: 8px; } #search { flex-basis: 100%; order: 3; }
          header .bar { order: 4; width: 100%; gap: 4px; }
          header button, .button, summary { padding: 4px 8px; }
          #detail { position: fixed; inset: 0; z-index: 4; max-width: none; border: 0; background: var(--ground); }
          #pause kbd, #mark kbd { display: none; }
          .pop { position: fixed; left: 12px; right: 12px; top: 130px; width: auto; }
          .pop label { grid-template-columns: 110px 1fr; }
          #head, .row { column-gap: 8px; padding: 0 8px; }
          footer { max-height: 18vh; }
          th:nth-child(1) { width: 30%; } th:nth-child(3) { width: 20%; }
        }
        @media (prefers-reduced-motion: no-preference) { #lamp { transition: background .2s; } }
        """#
}
