// The ledger's own database in the browser: DuckDB and the file travel as scripts, so that this works from disk, too.
"use strict";
(() => {
  FLOP.lacks = () => typeof WebAssembly !== "object" ? "WebAssembly" : typeof DecompressionStream !== "function" ? "DecompressionStream" : typeof Worker !== "function" ? "workers" : null;
  const bytes = async (name) => {
    await FLOP.load(`assets/duckdb/${name}.js`);
    const text = FLOP.packed[name], binary = atob(text), packed = new Uint8Array(binary.length);
    FLOP.packed[name] = null;
    for (let place = 0; place < binary.length; place++) packed[place] = binary.charCodeAt(place);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  // A worker of a page opened from disk may fetch nothing, not even a blob: it is handed the module's bytes.
  const prelude = `const given = new Promise((done) => self.addEventListener("message", function first(event) {
    if (!event.data.given) return;
    event.stopImmediatePropagation();
    self.removeEventListener("message", first);
    done(event.data.given);
  }));
  const own = self.fetch;
  self.fetch = async (what, how) => String(what.url ?? what).endsWith("given.wasm") ? new Response(await given, {headers: {"content-type": "application/wasm"}}) : own(what, how);\n`;
  let files = null;
  const fetched = () => files ??= Promise.all([...["wasm", "worker", "client", "ledger"].map(bytes), FLOP.load("assets/duckdb/arrow.js")]).catch((problem) => { files = null; throw problem; });
  // `isLocked`: nothing but the ledger can be read, and no statement changes that.
  FLOP.open = async ({isLocked = true} = {}) => {
    const lacking = FLOP.lacks();
    if (lacking) throw new Error(`This browser lacks ${lacking}, which SQL and what-ifs need; all tables, charts and downloads work without.`);
    const [wasm, worker, client, database] = await fetched();
    const module = {exports: {}};
    new Function("module", "exports", "require", new TextDecoder().decode(client))(module, module.exports, () => self.Arrow);
    const address = URL.createObjectURL(new Blob([prelude, worker], {type: "text/javascript"})), thread = new Worker(address);
    thread.postMessage({given: wasm.slice().buffer});
    const book = new module.exports.AsyncDuckDB(new module.exports.VoidLogger(), thread);
    await book.instantiate("http://given/given.wasm", null);
    URL.revokeObjectURL(address);
    await book.open({path: ":memory:"});
    await book.registerFileBuffer("ledger.duckdb", database.slice());
    const connection = await book.connect();
    // Extensions would be fetched from elsewhere.
    for (const name of ["autoinstall_known_extensions", "autoload_known_extensions"]) await connection.query(`set ${name} = false`);
    await connection.query("attach 'ledger.duckdb' as ledger (read_only)");
    if (isLocked) for (const statement of ["use ledger", "set enable_external_access = false", "set lock_configuration = true"]) await connection.query(statement);
    return {connection, close: () => thread.terminate()};
  };
  FLOP.plain = (value) => typeof value === "bigint" ? Number(value) : value;
  FLOP.rows = (answer) => answer.toArray().map((row) => Object.fromEntries(Object.entries(row.toJSON()).map(([name, value]) => [name, FLOP.plain(value)])));
})();
