import { projectRoot } from '#embedded/project-root.js';
import { missingCode, MUTATIONS } from './mutations.js';

it.each(Object.keys(MUTATIONS))('the mutation %s still finds the code that it switches off', async (name) => {
  expect(await missingCode(projectRoot(), name)).toEqual([]);
});
