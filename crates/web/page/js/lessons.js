// Lessons: positions and questions. The engine computes the right answers.

/** @typedef {{id: string, rules: string, kind: "feedback", guess: string, secret: string}} ReadLesson */
/** @typedef {{id: string, rules: string, kind: "fit" | "pick", turns: string[], codes: string[]}} CodesLesson */

/** @type {(ReadLesson | CodesLesson)[]} */
export const LESSONS = [
  { id: "read", rules: "4x6", kind: "feedback", guess: "1234", secret: "1425" },
  { id: "twice", rules: "4x6", kind: "feedback", guess: "1122", secret: "3146" },
  { id: "fit", rules: "4x6", kind: "fit", turns: ["1122=1,1"], codes: ["1314", "3141", "1233", "2142"] },
  { id: "two", rules: "4x6", kind: "fit", turns: ["1122=1,1", "1344=0,2"], codes: ["3126", "4152", "1534", "2163"] },
  { id: "split", rules: "4x6", kind: "pick", turns: ["1122=0,1"], codes: ["3314", "1111", "3333"] },
  { id: "worst", rules: "4x6", kind: "pick", turns: [], codes: ["1111", "1112", "1123"] },
  { id: "probe", rules: "4x6", kind: "pick", turns: ["1123=3,0", "1124=3,0"], codes: ["1125", "1156", "3344"] },
];
