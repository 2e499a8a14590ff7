import { spawnSync } from 'node:child_process';

const OTHER = /^(apps\/studio|test|examples|docs|prisma|libs\/testing)\/|\.spec\.ts$/;

describe('source files outside the folder of a feature', () => {
  const files = spawnSync('git', ['ls-files'], { encoding: 'utf8' }).stdout.trim().split('\n');
  const sources = files.filter((file) => !OTHER.test(file));

  it.each(['book', 'article', 'plan'])('at most three are named after %s', (feature) => {
    const name = new RegExp(`(?:^|[/.-])${feature}s?(?=[/.-]|$)`);
    const named = sources.filter((file) => !file.startsWith(`libs/${feature}/`) && name.test(file));
    expect(named.length).toBeLessThanOrEqual(3);
  });
});
