import { logRepeatedErrors } from './logger.js';

describe('logRepeatedErrors', () => {
  it('logs each kind of error once a minute, with the number of omitted ones', () => {
    const lines: { omitted?: number; err?: Error }[] = [];
    let now = 0;
    const log = { warn: (fields: object) => void lines.push(fields) };
    const onError = logRepeatedErrors(log, 'queue error', () => now);
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    for (let each = 0; each < 300; each++, now += 200) onError(refused);
    onError(reset);
    onError(refused);
    expect(lines.map(({ err, omitted }) => [err, omitted])).toEqual([
      [refused, undefined],
      [reset, undefined],
      [refused, 299],
    ]);
  });
});
