// Where the engine is: behind the same address over HTTP. A folder of static files has another file in this place, which says
// that it is in a worker.

/** @type {"http" | "worker"} */
export const WHERE = "http";
