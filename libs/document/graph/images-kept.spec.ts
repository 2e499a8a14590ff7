import { runDocument } from '#testing/graph-harness.js';
import { callTools, say, scriptedModel } from '#testing/scripted-model.js';
import { append, finish, read } from '#testing/two-chapters.js';

const TEXT = '# Pump\n\nThe pump was replaced. See ![plan](plan.png).\n';
const INPUTS = { 'notes/a.md': TEXT, 'notes/plan.png': 'PNG', 'photo.png': 'PNG' };

/** X1: an image that no text shows is an input like any other, whatever a model does about it. */
describe('images that a model does not place', () => {
  it.each([
    ['ends at once', [say('Done.'), say('Done.')]],
    ['looks again before it ends', [callTools(read('notes/a.md')), say('Done.'), say('Done.')]],
  ])('are added to the end if it %s', async (_, answers) => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([callTools(read('notes/a.md')), callTools(append(TEXT), finish), ...answers]),
    });
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1 });
    expect(run.manuscript).toBe(`${TEXT}\n![photo.png](photo.png)\n`);
  });
});
