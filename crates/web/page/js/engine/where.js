// Location of the engine: a server. Static sites replace this file.

/** @type {"http" | "worker"} */
export const WHERE = "http";
