// Where the engine is: in workers of this page.

/** @type {"http" | "worker"} */
export const WHERE = "worker";
