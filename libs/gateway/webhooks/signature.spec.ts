import { UnreadableSecretError, SecretSeal } from '#egress/secret-seal.js';
import { isSigned, newSigningSecret, signatureHeaders } from './sender.js';

describe('signatures of webhooks', () => {
  it('match the published test vector of Standard Webhooks', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const headers = signatureHeaders(
      [secret],
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1614265330,
      '{"test": 2432232314}',
    );
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('contain one signature per secret', () => {
    const [first, second] = [newSigningSecret(), newSigningSecret()];
    const of = (...secrets: string[]) => signatureHeaders(secrets, 'msg_1', 1, '{}')['webhook-signature'];
    expect(of(first, second)).toBe(`${of(first)} ${of(second)}`);
  });
});

describe('signatures of requests that arrive', () => {
  const secret = newSigningSecret();
  const now = new Date('2026-11-29T12:00:00Z');
  const seconds = now.getTime() / 1_000;
  const body = '{"a": 1}';
  const signed = signatureHeaders([secret], 'msg_1', seconds, body);

  it('are valid for five minutes, also next to other signatures', () => {
    expect(isSigned(secret, signed, body, now)).toBe(true);
    const both = signatureHeaders([newSigningSecret(), secret], 'msg_1', seconds, body);
    expect(isSigned(secret, both, body, now)).toBe(true);
    const within = (minutes: number) =>
      isSigned(secret, signed, body, new Date(now.getTime() + minutes * 60_000));
    expect([-5.1, -4.9, 4.9, 5.1].map(within)).toEqual([false, true, true, false]);
  });

  it.each([
    ['another body', signed, '{"a": 2}'],
    ['another ID', { ...signed, 'webhook-id': 'msg_2' }, body],
    ['another time', { ...signed, 'webhook-timestamp': String(seconds + 1) }, body],
    ['no time', { ...signed, 'webhook-timestamp': undefined }, body],
    ['a time that is no number', { ...signed, 'webhook-timestamp': 'now' }, body],
    ['no signature', { ...signed, 'webhook-signature': undefined }, body],
    ['another secret', signatureHeaders([newSigningSecret()], 'msg_1', seconds, body), body],
    ['an ID that is too long', signatureHeaders([secret], 'x'.repeat(201), seconds, body), body],
    ['an empty ID', signatureHeaders([secret], '', seconds, body), body],
  ])('are refused with %s', (_what, { ...headers }, text) => {
    expect(isSigned(secret, headers as never, text, now)).toBe(false);
  });
});

describe('secrets of webhooks', () => {
  const secret = newSigningSecret();

  it('are encrypted with TOKEN_SECRET, per webhook, with a different result each time', () => {
    const seal = new SecretSeal('s'.repeat(32));
    const sealed = seal.seal(secret, 'whk_a');
    expect(sealed).not.toContain(secret.slice(6));
    expect(seal.seal(secret, 'whk_a')).not.toBe(sealed);
    expect(seal.open(sealed, 'whk_a')).toBe(secret);
    const tampered = `${sealed.slice(0, -4)}AAAA`;
    for (const [stored, webhook, key] of [
      [sealed, 'whk_b', 's'.repeat(32)],
      [tampered, 'whk_a', 's'.repeat(32)],
      [sealed, 'whk_a', 't'.repeat(32)],
      [sealed, 'whk_a', undefined],
      ['sealed:', 'whk_a', 's'.repeat(32)],
    ] as const)
      expect(() => new SecretSeal(key).open(stored, webhook)).toThrow(UnreadableSecretError);
  });

  it('are stored in plain text without TOKEN_SECRET, and stay readable when one is set later', () => {
    const stored = new SecretSeal(undefined).seal(secret, 'whk_a');
    expect(stored).toContain(secret);
    expect(new SecretSeal('s'.repeat(32)).open(stored, 'whk_a')).toBe(secret);
  });
});
