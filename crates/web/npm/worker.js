// A web worker with the WebAssembly engine: JSON requests in, JSON lines out.

/** @type {WebAssembly.Module} */
let compiled;
/** @type {Promise<{memory: WebAssembly.Memory, reserve: (bytes: number) => number, ask: () => void}>} */
let engine;
const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

/** @param {WebAssembly.Module} module */
async function started(module) {
  const tell = (/** @type {number} */ line, /** @type {number} */ bytes) => {
    const { memory } = /** @type {any} */ (instance.exports);
    postMessage(JSON.parse(decoder.decode(new Uint8Array(memory.buffer, line, bytes))));
  };
  const instance = await WebAssembly.instantiate(module, { env: { tell } });
  return /** @type {any} */ (instance.exports);
}

/** @param {MessageEvent<{module?: WebAssembly.Module, name?: string, body?: unknown}>} event */
onmessage = async ({ data }) => {
  if (data.module) {
    compiled = data.module;
    engine = started(compiled);
    return;
  }
  try {
    const { memory, reserve, ask } = await engine;
    const question = encoder.encode(`${data.name}\n${JSON.stringify(data.body)}`);
    const place = reserve(question.length);
    new Uint8Array(memory.buffer, place, question.length).set(question);
    ask();
  } catch (error) {
    // The memory of an instance that trapped is in an unknown state.
    engine = started(compiled);
    // Reports any failure to the caller.
    postMessage({ error: { code: "broken", message: String(error), hint: null } });
  }
};
