import { execFileSync } from 'node:child_process';

interface Cruised {
  modules: { source: string; dependencies: { module: string; resolved: string }[] }[];
}

/** Runs dependency-cruiser on a folder, as `npm run lint` does. */
function cruise(folder: string): Cruised {
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', folder];
  const binary = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs';
  return JSON.parse(execFileSync(process.execPath, [binary, ...args], { encoding: 'utf8' })) as Cruised;
}

describe('the allowed imports', () => {
  it('apply to imports of libraries, which resolve to the sources and not to dist/', () => {
    const { modules } = cruise('libs/markdown');
    const libraries = modules
      .flatMap(({ dependencies }) => dependencies)
      .filter(({ module }) => module.startsWith('#'));
    expect(libraries.length).toBeGreaterThan(0);
    expect(libraries.filter(({ resolved }) => !resolved.startsWith('libs/'))).toEqual([]);
  });
});
