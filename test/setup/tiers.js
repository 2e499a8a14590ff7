/** Which specs belong to `npm run test:system` and `npm run test:deep` (CONTRIBUTING.md, "Tests"). */
import { hasMinio, hasRedis } from './servers.js';
import { allSpecs } from './specs.js';

const isSystem = (name) => name.endsWith('.system.spec.ts');
const isDeep = (name) => name.endsWith('.deep.spec.ts');

/**
 * Returns `*.system.spec.ts`, and each spec of `npm test` that runs on every queue or store, for the columns that `npm
 * test` skips.
 */
export function systemSpecs() {
  const columns = [...(hasRedis() ? ['queueColumns'] : []), ...(hasMinio() ? ['storeColumns'] : [])];
  if (columns.length > 0) columns.push('columnPairs');
  const runsOnMore = ({ name, text }) =>
    !isDeep(name) && columns.some((column) => new RegExp(`\\b${column}\\(`).test(text));
  return pathsOf((spec) => isSystem(spec.name) || runsOnMore(spec));
}

/** `*.deep.spec.ts`, and each spec that tries more at full depth or has more pairs of columns there. */
export const deepSpecs = () =>
  pathsOf(
    ({ name, text }) =>
      isDeep(name) || /from '(#testing|\.)\/depth\.js'/.test(text) || /\bcolumnPairs\(/.test(text),
  );

const pathsOf = (isWanted) =>
  allSpecs()
    .filter(isWanted)
    .map(({ name }) => `<rootDir>/${name.replaceAll('\\', '/')}`);
