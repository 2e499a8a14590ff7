import type { KindFacts } from '#engine/kind.js';
import { ProblemError } from '#contracts/errors.js';
import { z } from 'zod';

export interface TinyState {
  session_id: string;
  words: string[];
  words_path: string | null;
}

const NODES = ['take', 'shout', 'child', 'choose', 'finish'];

export const tinyFacts: KindFacts = {
  kind: 'tiny',
  version: '1',
  nodes: NODES,
  continuation: {
    state: z.object({ session_id: z.string(), words: z.array(z.string()) }),
    carriedTasks: [],
    prose: [],
    companions: () => [],
    needs: () => ({ inputs: [], assets: [], checkpointId: null, exportId: null }),
    shownKeys: ['words'],
    shown: ({ words }) => ({ chapter: Array.isArray(words) ? words.length : null, manuscript: null }),
  },
  describe(state) {
    const words = (state['words'] as string[] | undefined) ?? [];
    return {
      phase: 'collecting',
      label: `${words.length} words`,
      done: words.length,
      total: 4,
      details: { words },
    };
  },
  results: (state) => ({ words: (state['words_path'] as string | null | undefined) ?? null }),
  answerResolvers: {
    tiny_choice: {
      async resolve(answer) {
        if (answer['word'] === 'forbidden')
          throw new ProblemError('invalid_answer', 'That word is offered, but not taken.');
        return Promise.resolve({ word: `chosen ${String(answer['word'])}` });
      },
    },
  },
};
