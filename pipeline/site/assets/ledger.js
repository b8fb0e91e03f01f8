// The ledger's database in the browser. DuckDB is loaded as scripts, so that this also works from disk.
"use strict";
(() => {
  FLOP.lacks = () => typeof WebAssembly !== "object" ? "WebAssembly" : typeof DecompressionStream !== "function" ? "DecompressionStream" : typeof Worker !== "function" ? "workers" : null;
  const bytes = async (name) => {
    await FLOP.load(`assets/duckdb/${name}.js`);
    const text = FLOP.packed[name];
    FLOP.packed[name] = null;
    return new Uint8Array(await FLOP.unpacked(text).arrayBuffer());
  };
  // If a page is opened from disk, its worker may fetch nothing, not even a blob. We compile the module here, while other parts load, and pass it on.
  const prelude = `const given = new Promise((done) => self.addEventListener("message", function first(event) {
    if (!event.data.given) return;
    event.stopImmediatePropagation();
    self.removeEventListener("message", first);
    done(event.data.given);
  }));
  const own = self.fetch;
  self.fetch = async (what, how) => String(what.url ?? what).endsWith("given.wasm") ? new Response(null, {headers: {"content-type": "application/wasm"}}) : own(what, how);
  WebAssembly.instantiateStreaming = async (source, imports) => { const module = await given; return {module, instance: await WebAssembly.instantiate(module, imports)}; };\n`;
  // The database is the file that readers download. A page from disk may fetch nothing, so there the reader chooses it.
  const PATH = "latest/ledger.duckdb.gz", isOnDisk = location.protocol === "file:";
  const input = document.getElementById("database");
  input.closest("p").hidden = !isOnDisk;
  const opened = async (file) => {
    if (!file) throw new Error(`Choose ${PATH} first, with the button above: this page is opened from disk.`);
    const start = new Uint8Array(await file.slice(0, 2).arrayBuffer()), isPacked = start[0] === 0x1f && start[1] === 0x8b;
    const stream = isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };
  const fetched = async () => {
    const answer = await fetch(PATH);
    if (!answer.ok) throw new Error(`${PATH} cannot be loaded`);
    return opened(await answer.blob());
  };
  let parts = null;
  // The database is unpacked while the module compiles, and both are kept for the next use.
  FLOP.fetchLedger = () => {
    if (parts) return parts;
    const scripts = ["client", "arrow"].map((name) => FLOP.load(`assets/duckdb/${name}.js`));
    const code = Promise.all([bytes("worker"), ...scripts]), module = bytes("wasm").then((own) => WebAssembly.compile(own));
    parts = {code, module, database: isOnDisk ? null : fetched()};
    Promise.all(Object.values(parts)).catch(() => { parts = null; });
    return parts;
  };
  // Statements can read only the ledger, and cannot lift this restriction.
  FLOP.open = async () => {
    const {code, module: compiled, database} = FLOP.fetchLedger(), [worker] = await code;
    const file = isOnDisk ? await opened(input.files[0]) : (await database).slice();
    const module = {exports: {}};
    FLOP.client(module, module.exports, () => self.Arrow);
    const address = URL.createObjectURL(new Blob([prelude, worker], {type: "text/javascript"})), thread = new Worker(address);
    const book = new module.exports.AsyncDuckDB(new module.exports.VoidLogger(), thread);
    try {
      thread.postMessage({given: await compiled});
      await book.instantiate("http://given/given.wasm", null);
    } catch (problem) { thread.terminate(); throw problem; } finally { URL.revokeObjectURL(address); }
    await book.open({path: ":memory:"});
    await book.registerFileBuffer("ledger.duckdb", file);
    const connection = await book.connect();
    // DuckDB would fetch extensions from another host.
    for (const name of ["autoinstall_known_extensions", "autoload_known_extensions"]) await connection.query(`set ${name} = false`);
    const statements = [
      "attach 'ledger.duckdb' as ledger (read_only)", "use ledger", "set enable_external_access = false",
      "set lock_configuration = true",
    ];
    for (const statement of statements) await connection.query(statement);
    return {connection, close: () => thread.terminate()};
  };
  FLOP.plain = (value) => typeof value === "bigint" ? Number(value) : value;
})();
