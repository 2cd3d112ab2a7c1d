extension InspectorPage {
    /// The initial markup of the page.
    ///
    /// `RECEIVER` is replaced by the collector's address.
    static let markup = #"""
        <header>
        <h1 class="hidden">Event inspector</h1>
        <span id="live" role="status"><i id="lamp" aria-hidden="true"></i><span id="state">connecting</span></span>
        <span id="count" role="status"></span>
        <div id="search"><input id="filter" type="search" role="combobox" aria-label="Filter rows" aria-expanded="false"
          aria-controls="completions" aria-autocomplete="list" autocomplete="off" spellcheck="false"
          placeholder="/ filter: words, price:180, is:quarantined, has:finding, -word">
        <ul id="completions" role="listbox" aria-label="Terms" hidden></ul></div>
        <div class="bar">
        <select id="sort" aria-label="Order of rows" aria-keyshortcuts="o">
        <option value="tracking">as tracked</option><option value="arrival">as arrived</option></select>
        <button id="pause" aria-pressed="false" aria-keyshortcuts="p">Pause <kbd>p</kbd></button>
        <button id="clear">Clear</button>
        <details class="menu" id="faults"><summary>Faults <b id="active"></b></summary>
        <form id="fault" class="pop" autocomplete="off">
        <label>Service <select id="fault-service"></select></label>
        <label>Response <select id="fault-status">
        <option value="503">503 unavailable</option><option value="429">429 too many requests</option>
        <option value="400">400 bad request</option><option value="401">401 wrong credentials</option>
        <option value="404">404 no such endpoint</option><option value="302">302 captive portal</option>
        <option value="0">nothing, and hangs up</option></select></label>
        <label>How often <input id="fault-count" type="number" min="1" placeholder="until cleared"></label>
        <label>Only with event <input id="fault-event" placeholder="any"></label>
        <div><button id="fault-set">Set</button> <button id="fault-off" type="button">Clear this service</button></div>
        <ul id="fault-list" aria-label="Faults that are set"></ul>
        </form></details>
        <details class="menu"><summary>Export</summary><div class="pop">
        <a href="/inspector/export.ndjson" download>Events as NDJSON</a>
        <a href="/inspector/export.har" download>Requests as HAR, secrets redacted</a>
        </div></details>
        <a class="button" href="/plan">Plan</a>
        <button id="help" aria-label="Keys" aria-keyshortcuts="?">?</button>
        </div>
        </header>
        <div id="network" role="note" hidden>This inspector is open to the local network, without encryption. It shows
        all values of all events, ids of users included, to everyone who has its link.</div>
        <main>
        <section id="list" aria-label="Events">
        <div id="problems" role="status" hidden></div>
        <div id="head" aria-hidden="true"></div>
        <button id="fresh" hidden></button>
        <div id="gap" role="status" hidden></div>
        <div id="scroll">
        <div id="grid" role="grid" aria-label="Events, the latest first" aria-rowcount="0" tabindex="0"></div></div>
        <div id="empty">
        <p><strong>Nothing has arrived yet.</strong></p>
        <p>In a debug build, before the engine opens, add one line, with the link that opened this page:</p>
        <p><code id="line">configuration = try configuration.inspected(at: link)</code></p>
        <p class="local">Or send events to <code id="receiver">RECEIVER</code>, as to the services themselves.</p>
        </div>
        <div id="none" hidden>No row matches the filter.</div>
        </section>
        <section id="detail" aria-label="The event" hidden>
        <div class="title"><h2 id="title" tabindex="-1"></h2><button id="close" aria-label="Close">✕</button></div>
        <p id="who"></p>
        <p id="grouped" hidden>Grouped by time: no plan says which deliveries come from one call of
        <code>track</code>.</p>
        <div class="bar" id="copies">
        <span class="dim" aria-hidden="true">Copy</span>
        <button data-copy="json" aria-label="Copy as JSON">JSON</button>
        <button data-copy="curl" aria-label="Copy as curl">curl</button>
        <button data-copy="test" aria-label="Copy as test">test</button>
        <button data-copy="ndjson" aria-label="Copy as NDJSON">NDJSON</button>
        <button id="mark" aria-pressed="false" aria-label="Mark for diff"
          aria-keyshortcuts="d">Mark <kbd>d</kbd></button>
        <span id="copied" role="status"></span>
        </div>
        <div id="tabs" role="tablist" aria-label="Parts of the event"></div>
        <div id="panel" role="tabpanel" tabindex="0" aria-labelledby="title"></div>
        </section>
        </main>
        <footer><h2 class="hidden">Lanes</h2><ul id="lanes" aria-label="Lanes"></ul></footer>
        <dialog id="keys" aria-label="Keys">
        <h2>Keys</h2>
        <dl>
        <dt>j k ↓ ↑</dt><dd>the next, the previous row; focus moves, nothing opens</dd>
        <dt>Enter</dt><dd>opens the row</dd><dt>Esc</dt><dd>closes it</dd>
        <dt>/</dt><dd>the filter: words of names, keys, values, ids and findings; <code>key:value</code> with any key,
        such as <code>price:180</code> or <code>product:DL</code>; <code>is:quarantined</code> and other states;
        <code>has:finding</code>, <code>has:error</code>, <code>has:warning</code>, <code>has:retry</code>,
        <code>has:key</code>; <code>"some words"</code>; <code>-term</code> excludes</dd>
        <dt>o</dt><dd>changes the order: as tracked, as arrived</dd>
        <dt>g</dt><dd>the newest row; the list goes on by itself</dd>
        <dt>p</dt><dd>pauses</dd><dt>d</dt><dd>marks the row; other rows are compared with it</dd>
        <dt>1 … 9</dt><dd>the parts of the open row</dd>
        </dl>
        <p>A row is one call of <code>track</code>. Deliveries whose call is not certain stand alone.</p>
        <button id="keys-close">Close</button>
        </dialog>
        <dialog id="text" aria-label="Text to copy"><textarea id="plain" readonly aria-label="Text to copy"></textarea>
        <button id="text-close">Close</button></dialog>
        """#
}
