import { ToolError, type ManuscriptPort } from '../graph/ports.js';
import { LineOutOfRangeError, type ManuscriptStore } from '#storage/manuscript-store.js';

/** Adapts the manuscript store to the document graph: reports an invalid line number as the model's error. */
export function manuscriptPort(store: ManuscriptStore): ManuscriptPort {
  return {
    append: (pointer, content) => store.append(pointer, content),
    tail: (pointer, lines) => store.tail(pointer, lines),
    describe: (pointer) => store.describe(pointer),
    async editLine(pointer, lineNumber, content) {
      try {
        return await store.editLine(pointer, lineNumber, content);
      } catch (error) {
        if (error instanceof LineOutOfRangeError) throw new ToolError(error.message);
        throw error;
      }
    },
  };
}
