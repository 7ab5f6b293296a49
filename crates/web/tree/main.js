// A page with a single tree.

import { read } from "./address.js";
import { find } from "./dom.js";
import { open } from "./pages/trees.js";

const page = open(find("#main"), read(location.hash).query);
addEventListener("hashchange", () => page.update(read(location.hash).query));
