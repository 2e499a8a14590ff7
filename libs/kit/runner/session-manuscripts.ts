import { ToolError, type ManuscriptPort } from '../graph/ports.js';
import { LineOutOfRangeError, type ManuscriptStore } from '#storage/manuscript-store.js';

/** Adapts the manuscript store to the document graph: reports an invalid line number as the model's error. */
export function manuscriptPort(store: ManuscriptStore): ManuscriptPort {
  return {
    append: (pointer, content) => store.append(pointer, content),
    tail: (pointer, lines) => store.tail(pointer, lines),
    lines: (pointer) => store.lines(pointer),
    describe: (pointer) => store.describe(pointer),
    editLine: (...args) => reportingRange(store.editLine(...args)),
    replaceLines: (...args) => reportingRange(store.replaceLines(...args)),
    moveLines: (...args) => reportingRange(store.moveLines(...args)),
  };
}

async function reportingRange<T>(edit: Promise<T>): Promise<T> {
  try {
    return await edit;
  } catch (error) {
    if (error instanceof LineOutOfRangeError) throw new ToolError(error.message);
    throw error;
  }
}
