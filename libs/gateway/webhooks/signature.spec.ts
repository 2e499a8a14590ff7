import { UnreadableSecretError, SecretSeal } from '#egress/secret-seal.js';
import { newSigningSecret, signatureHeaders } from './sender.js';

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
