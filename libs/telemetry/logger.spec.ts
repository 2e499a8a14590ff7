import fc from 'fast-check';
import { createLogger, withContext, redactText } from './logger.js';
import { NestLogger } from './nest-logger.js';

function capture(level = 'trace') {
  const lines: string[] = [];
  const logger = createLogger('spec', { level, destination: { write: (line) => lines.push(line) } });
  const parsed = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { logger, lines, parsed };
}

describe('createLogger', () => {
  it('writes one JSON object per line, with time, level, app and context', () => {
    const { logger, parsed } = capture();
    withContext(logger, { tenant_id: 't1', run_id: 'r1' }).info({ event: 'ready', url: 'http://x' }, 'up');
    expect(parsed()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        app: 'spec',
        pid: process.pid,
        tenant_id: 't1',
        run_id: 'r1',
        event: 'ready',
        url: 'http://x',
        msg: 'up',
      },
    ]);
  });

  it('escapes characters that could disguise a line in a terminal, without changing the parsed text', () => {
    const { logger, lines, parsed } = capture();
    logger.info({ name: 'report\u202efdp.exe' }, 'a\u009b2Jb\u2066\u2028');
    expect(lines[0]).not.toMatch(/[\u007f-\u009f\u2028\p{Bidi_Control}]/u);
    expect(parsed()[0]).toMatchObject({ name: 'report\u202efdp.exe', msg: 'a\u009b2Jb\u2066\u2028' });
  });

  it('writes nothing below its level', () => {
    const { logger, lines } = capture('warn');
    logger.info('not this');
    logger.warn('but this');
    expect(lines).toHaveLength(1);
  });

  it.each([
    [{ authorization: 'S3CRET' }],
    [{ req: { headers: { Authorization: 'Bearer S3CRET', cookie: 'S3CRET' } } }],
    [{ api_key: 'S3CRET', 'x-api-key': 'S3CRET', apiKey: 'S3CRET', OPENAI_API_KEY: 'S3CRET' }],
    [{ password: 'S3CRET', s3: { secretKey: 'S3CRET', S3_SECRET_KEY: 'S3CRET', access_key: 'S3CRET' } }],
    [{ database_url: 'postgres://user:S3CRET@127.0.0.1:5432/db' }],
    [{ list: [{ deep: [{ token: 'S3CRET' }] }] }],
    [{ url: new URL('redis://:S3CRET@127.0.0.1') }],
    [{ err: new Error('connect postgres://u:S3CRET@h/d', { cause: new Error('Bearer S3CRET') }) }],
    [{ err: Object.assign(new Error('x'), { config: { headers: { authorization: 'S3CRET' } } }) }],
    [new Error('at https://S3CRET@host/')],
    [
      {
        content: 'S3CRET',
        messages: ['S3CRET'],
        manuscript: { text: 'S3CRET' },
        body: Buffer.from('S3CRET'),
      },
    ],
  ])('never writes a secret or content: %j', (fields) => {
    const { logger, lines, parsed } = capture();
    logger.error(fields, 'with postgres://u:S3CRET@h/d and Authorization: Bearer S3CRET');
    withContext(logger, fields as Record<string, unknown>).info('child');
    expect(lines.join('')).not.toContain('S3CRET');
    expect(parsed().filter(({ level }) => level !== 'debug')).toHaveLength(2);
  });

  it('does not mask fields that are not secret', () => {
    const { logger, parsed } = capture();
    const fields = {
      tokens: 12,
      key: 'tenants/a',
      answer_count: 3,
      at: 'user@example.org',
      content_type: 'text/plain',
    };
    logger.info(fields, 'https://example.org/a?b=c@d');
    expect(parsed()[0]).toMatchObject({ ...fields, msg: 'https://example.org/a?b=c@d' });
  });

  it.each([
    ['an error', { err: new SyntaxError('MARKER is no JSON') }],
    ['an error alone', new Error('MARKER')],
    ['a cause', { err: new Error('x', { cause: new Error('MARKER', { cause: 'MARKER' }) }) }],
    ['a message of several lines', { err: new Error('MARKER\n    at MARKER (/MARKER.js:1:1)\nMARKER') }],
    ['a message that was replaced', { err: Object.assign(new Error('MARKER'), { message: 'other' }) }],
    ['a code that is a sentence', { err: Object.assign(new Error('x'), { code: 'MARKER is no code' }) }],
    ['another name', { reason: Object.assign(new Error('MARKER'), { meta: 'MARKER' }) }],
    ['a thrown text', { err: 'MARKER' }],
  ])('omits the message of an error above the level debug: %s', (_, fields) => {
    const { logger, lines } = capture('info');
    logger.error(fields, 'failed');
    logger.error(fields);
    withContext(logger, fields as Record<string, unknown>).info('child');
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toContain('MARKER');
  });

  it('writes the class, codes and stack of an error, and its message in a separate line at debug', () => {
    const error = Object.assign(new RangeError('too far', { cause: { originalCode: '22P02' } }), {
      code: 'P2010',
    });
    const err = {
      type: 'RangeError',
      code: 'P2010',
      stack: expect.stringMatching(/^ {4}at .*logger\.spec/),
      cause: { type: 'Object', code: '22P02' },
    };
    const { logger, parsed } = capture('debug');
    logger.warn({ err: error, run_id: 'r' }, 'failed');
    expect(parsed()).toMatchObject([
      { level: 'warn', run_id: 'r', err, msg: 'failed' },
      { level: 'debug', run_id: 'r', err_message: 'too far', msg: 'failed' },
    ]);
  });

  it('replaces content by its size', () => {
    const { logger, parsed } = capture();
    logger.info({ content: 'abc', body: Buffer.alloc(5), messages: [1, 2] });
    expect(parsed()[0]).toMatchObject({
      content: '[3 characters]',
      body: '[5 bytes]',
      messages: '[2 items]',
    });
  });

  it('writes any fields and message as one line of JSON', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.anything({ withBigInt: true })),
        fc.string(),
        (fields, message) => {
          const { logger, lines } = capture();
          logger.info(fields, message);
          expect(lines).toHaveLength(1);
          expect(lines[0]?.trimEnd()).not.toContain('\n');
          JSON.parse(lines[0] ?? '');
        },
      ),
    );
  });

  it('masks a long text that almost looks like a connection string', () => {
    const text = `${'postgres://'.repeat(20_000)}${'a:'.repeat(100_000)}`;
    expect(redactText(text)).toEqual(expect.any(String));
  });
});

describe('NestLogger', () => {
  it('writes the context and omits the start-up messages of Nest', () => {
    const { logger, lines, parsed } = capture('info');
    const nest = new NestLogger(logger);
    nest.log('Mapped {/api}', 'RouterExplorer');
    nest.log('a file came', 'InputsController');
    nest.error(new Error('broken'), 'Somewhere');
    const { message, stack } = new Error('MARKER');
    nest.error(message, stack, 'Somewhere');
    nest.error('cannot stop', stack, 'Somewhere');
    nest.warn({ run_id: 'r' }, 'Somewhere');
    expect(parsed()).toMatchObject([
      { level: 'info', context: 'InputsController', msg: 'a file came' },
      { level: 'error', context: 'Somewhere', msg: 'unexpected error', err: { type: 'Error' } },
      {
        level: 'error',
        context: 'Somewhere',
        msg: 'unexpected error',
        stack: expect.stringMatching(/^ {4}at .*logger\.spec/),
      },
      { level: 'error', context: 'Somewhere', msg: 'cannot stop', stack: expect.stringMatching(/^ {4}at /) },
      { level: 'warn', context: 'Somewhere', run_id: 'r' },
    ]);
    expect(lines.join('')).not.toContain('MARKER');
  });
});
