import { columnPairs } from '#testing/columns.js';
import { exampleFiles, MISSING_IMAGE, TINY_PNG } from '#testing/examples.js';
import { expectFaithful } from '#testing/faithful.js';
import { type ColumnStack, columnStack } from '#testing/shared-stack.js';

for (const { queue, store } of columnPairs()) {
  describe(`the main job on the ${queue.name} queue and the ${store.name} store`, () => {
    let stack: ColumnStack;

    beforeAll(async () => {
      stack = await columnStack({ queue, store });
    });
    afterAll(() => stack.stop());

    it('D4 D18 D20 D24 pauses for the missing image, accepts an upload and ends with a faithful DOCX', async () => {
      const tenant = await stack.tenant();
      const files = exampleFiles('incident');
      const sessionId = await tenant.sessionWith(files);
      const run = await tenant.startRun(sessionId);
      const decision = await tenant.decision(run.id);
      expect(decision.references.map(({ ref }) => ref)).toEqual([MISSING_IMAGE]);

      const form = new FormData();
      form.append(MISSING_IMAGE, new Blob([TINY_PNG]), 'saturation.png');
      const answered = await tenant.post(`/api/decisions/${decision.id}/answer/`, form);
      expect([answered.status, answered.json.status]).toEqual([200, 'answered']);

      const ended = await tenant.completed(run.id);
      expect(ended.progress.details['coverage']).toBe(1);
      expect(ended.model).toBe('offline scribe (rules, no model)');

      expectFaithful(files, await tenant.manuscript(sessionId), await tenant.docx(sessionId));
    });

    it('D20 skips the missing image on request, and remembers the answer (X2)', async () => {
      const tenant = await stack.tenant();
      const sessionId = await tenant.sessionWith(exampleFiles('incident'));
      const run = await tenant.startRun(sessionId);
      const decision = await tenant.decision(run.id);
      const answer = { user_decisions: { [MISSING_IMAGE]: 'skip' } };
      expect((await tenant.post(`/api/decisions/${decision.id}/answer`, answer)).status).toBe(200);
      await tenant.completed(run.id);
      expectFaithful(
        exampleFiles('incident'),
        await tenant.manuscript(sessionId),
        await tenant.docx(sessionId),
      );

      const again = await tenant.sessionWith(exampleFiles('incident'));
      const second = await tenant.startRun(again);
      await tenant.completed(second.id);
      const events = await tenant.events(second.id);
      expect(events.filter(({ type }) => type === 'decision_required')).toEqual([]);
      expect(await tenant.manuscript(again)).toBe(await tenant.manuscript(sessionId));
    });
  });
}
