import { getEventListeners } from 'node:events';
import { OfflineScribe } from './offline-scribe/offline-scribe.js';
import type { Conversation } from './offline-scribe/conversation.js';
import { nextStep } from './offline-scribe/next-step.js';
import { rehearse } from './rehearsal.js';

it('a rehearsal goes through reading, writing and the checkpoint of each chapter, up to the finished manuscript', async () => {
  const phases: string[] = [];
  const scribe = new OfflineScribe(async (conversation: Conversation) => {
    const plan = nextStep(conversation);
    phases.push(plan.calls.map(({ name }) => name).join(' '));
    return plan;
  });
  await rehearse(scribe, 'system', new AbortController().signal);
  const chapter = ['read_file', 'append_to_markdown', 'create_checkpoint'];
  expect(phases).toEqual([...chapter, ...chapter, ...chapter, ...chapter, '']);
});

it('a rehearsal leaves no listeners on the signal that it was given', async () => {
  const { signal } = new AbortController();
  await rehearse(new OfflineScribe(), 'system', signal);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
