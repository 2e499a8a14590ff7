import type { RunModel } from '#kit/graph/ports.js';
import { AIMessage } from '@langchain/core/messages';
import type { ArticlePorts } from '../ports.js';
import type { ArticleState } from '../state.js';
import { shadowAnalyze } from './shadow.js';

const TEXT = 'The keeper’s lamp was\nvery bright. He said “oil is dear” and left.\n';

describe('A7 remarks of the model on a text', () => {
  it('stay if they quote the text with other apostrophes, quotation marks or line breaks', async () => {
    const remarks = ["The keeper's lamp was very bright.", '"oil is dear"', 'Words of another text.'].map(
      (quote) => ({ quote, reason: 'Too plain.' }),
    );
    const report = { annotations: [], deviations: [], corrected: TEXT };
    const ports = {
      rules: { call: () => Promise.resolve(report) },
      model: {
        call: () => Promise.resolve(new AIMessage(JSON.stringify({ remarks }))),
      } as unknown as RunModel,
      offline: false,
      proposals: {
        add: () => Promise.resolve(),
        rejected: () => Promise.resolve([]),
        decide: () => Promise.resolve(),
      },
      overruled: () => Promise.resolve([]),
    } as unknown as ArticlePorts;
    const inputs = { rules: 'general' };
    const given = { user_text: TEXT, inputs, unwanted: [], human_feedback: '', fallback_stages: [] };
    const state = given as unknown as ArticleState;
    const update = await shadowAnalyze(ports)(state, { configurable: { checkpoint_ns: 'shadow:step' } });
    const spans = (update.annotations as { span: { start: number; end: number } }[]).map(({ span }) => span);
    expect(spans.map(({ start, end }) => TEXT.slice(start, end))).toEqual([
      'The keeper’s lamp was\nvery bright.',
      '“oil is dear”',
    ]);
  });
});
