import fc from 'fast-check';

const EXPLORE = 'SCRIPTORIUM_TEST_EXPLORE';

const asked = process.env[EXPLORE];
beforeEach(() => delete process.env[EXPLORE]);
afterAll(() => {
  if (asked !== undefined) process.env[EXPLORE] = asked;
});

/** Returns the cases that a property was tested with. */
function tried(parameters: { numRuns?: number; seed?: number } = {}): number[] {
  const cases: number[] = [];
  fc.assert(
    fc.property(fc.integer(), (value) => void cases.push(value)),
    parameters,
  );
  return cases;
}

describe('the properties of specs', () => {
  it('test the same cases in each run', () => {
    expect(tried()).toHaveLength(100);
    expect(tried()).toEqual(tried());
  });

  it('test other and more cases during exploration', () => {
    const usual = tried({ numRuns: 10, seed: 1 });
    process.env[EXPLORE] = '3';
    const first = tried({ numRuns: 10, seed: 1 });
    const second = tried({ numRuns: 10, seed: 1 });
    expect([first.length, second.length]).toEqual([30, 30]);
    expect(first).not.toEqual(second);
    expect(first.slice(0, 10)).not.toEqual(usual);
  });

  it('report the failing case of an exploration in reproducible form', async () => {
    process.env[EXPLORE] = '2';
    const isSmall = (value: number) => expect(value).toBeLessThan(7);
    const written = 'examples: [[7]]';
    expect(() => fc.assert(fc.property(fc.nat(), isSmall))).toThrow(written);
    await expect(
      fc.assert(fc.asyncProperty(fc.nat(), (value) => Promise.resolve(isSmall(value)))),
    ).rejects.toThrow(written);
  });
});
