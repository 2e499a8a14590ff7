import fc from 'fast-check';
import { usualError } from './usual-error.js';

const messageOf = (body: unknown): unknown =>
  (JSON.parse(usualError(JSON.stringify(body))) as { error?: { message?: unknown } }).error?.message;

describe('the body of an error', () => {
  it.each([
    ['OpenAI', { error: { message: 'too long', code: 'x' } }, 'too long'],
    ['Gemini', [{ error: { code: 400, message: 'too long', status: 'INVALID_ARGUMENT' } }], 'too long'],
    ['Mistral and older vLLM', { object: 'error', message: 'too long', type: 'x', code: 400 }, 'too long'],
    ['Mistral, of fields', { object: 'error', message: { detail: 'x' } }, { detail: 'x' }],
    ['Ollama', { error: 'too long' }, 'too long'],
    ['FastAPI', { detail: [{ loc: ['body', 'tools', 0], msg: 'wrong', type: 'x' }] }, 'body.tools.0: wrong'],
    ['FastAPI, in words', { detail: 'Not Found' }, 'Not Found'],
    [
      'a router',
      { error: { message: 'Provider error', metadata: { raw: '{"message":"too long"}' } } },
      'Provider error {"message":"too long"}',
    ],
  ])('is converted to the form of OpenAI: %s', (_, body, message) => {
    expect(messageOf(body)).toEqual(message);
  });

  it('keeps the code and the parameter of the server', () => {
    const body = JSON.stringify({ object: 'error', message: 'no', param: 'top_p', code: 'x' });
    expect(JSON.parse(usualError(body))).toMatchObject({ error: { param: 'top_p', code: 'x' } });
  });

  it('is unchanged in any other form, and never causes a failure', () => {
    expect(usualError('<html>502</html>')).toBe('<html>502</html>');
    fc.assert(fc.property(fc.jsonValue(), (value) => typeof usualError(JSON.stringify(value)) === 'string'));
  });
});
