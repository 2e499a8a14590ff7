import { outlineEntrySchema } from '#contracts/manuscript.js';
import { userDecisionsSchema } from '#contracts/references.js';
import type { Continuation } from '#engine/kind.js';
import { z } from 'zod';

/** State keys of a document run that restore, fork and promote read. */
const savedStateSchema = z.object({
  session_id: z.string(),
  input_files: z.array(z.string()),
  user_decisions: userDecisionsSchema,
  temp_md_path: z.string().nullable(),
  ledger_path: z.string().nullable(),
  last_checkpoint_id: z.string().nullable(),
  export_id: z.string().nullable(),
  current_chapter: z.number().int(),
  current_file_index: z.number().int(),
  document_outline: z.array(outlineEntrySchema),
  coverage: z.number().nullable(),
});
type SavedState = z.infer<typeof savedStateSchema>;

/** Rules for continuing another run from the state of a document run. */
export const documentContinuation: Continuation = {
  state: savedStateSchema,
  // The scan result says which source an answer belongs to (X2). The state has the results of the other
  // tasks.
  carriedTasks: ['scan_assets'],
  // Text of the model and the tools.
  prose: ['messages'],
  // A ledger's HTML page is stored next to it.
  companions: (key) => (/\/ledger\/[^/]+\.json$/.test(key) ? [key.replace(/\.json$/, '.html')] : []),
  needs(state) {
    const { input_files, user_decisions, last_checkpoint_id, export_id } = state as SavedState;
    return {
      inputs: input_files,
      assets: Object.values(user_decisions),
      checkpointId: last_checkpoint_id,
      exportId: export_id,
    };
  },
  shownKeys: ['temp_md_path', 'current_chapter'],
  shown({ temp_md_path: manuscript, current_chapter: chapter }) {
    return {
      chapter: typeof chapter === 'number' ? chapter : null,
      manuscript: typeof manuscript === 'string' ? manuscript : null,
    };
  },
};
