import { detailOf } from '#contracts/phrases/detail.js';
import { runRemotely } from '#kit/graph/remote.js';
import { stepKey } from '#kit/graph/node.js';
import type { BookPorts } from '../ports.js';
import { failed, type BookNodeFunction } from '../state.js';

/**
 * B12: exports one format per step. A worker creates the file. The run ends when all formats are exported.
 */
export function exportNode(ports: BookPorts): BookNodeFunction {
  return async (state, config) => {
    const formats = state.inputs.formats ?? ['docx', 'pdf'];
    const format = formats.find((wanted) => !state.exports.some((made) => made.format === wanted));
    if (!format) return { status: 'completed' };
    const { citation_style } = state.inputs;
    const input = {
      session_id: state.session_id,
      project_id: state.project_id,
      format,
      ...(citation_style && { citation_style }),
    };
    const outcome = runRemotely('book_export', input);
    if (!outcome.ok) return failed(outcome.error.code, detailOf(outcome.error));
    const { export_id: id, name } = outcome.output;
    const exports = [...state.exports, { id, format, name }];
    const isLast = formats.every((wanted) => exports.some((made) => made.format === wanted));
    if (!isLast) return { exports };
    await ports.book.note({}, 'exported', `${stepKey(config)}/note`);
    return { exports, status: 'completed' };
  };
}
