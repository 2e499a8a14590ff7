import { projectRoot } from '#embedded/project-root.js';
import { missingCode, MUTATIONS } from './mutations.js';

it.each(Object.keys(MUTATIONS))('the mutation %s matches the code that it disables', async (name) => {
  expect(await missingCode(projectRoot(), name)).toEqual([]);
});
