import { ProblemError } from '#contracts/errors.js';
import fc from 'fast-check';
import { hostOf, hostSchema } from '../contract/secret-schemas.js';
import { checkedHosts } from './secrets.service.js';

describe('hosts that requests of plans may reach', () => {
  it('P13 are written as in a URL: lower case, punycode, without the port of https', () => {
    const given = ['API.Example.com:443', 'bücher.example', 'api.example.com', 'a.example:8443', '8.8.8.8'];
    expect(checkedHosts(given, false)).toEqual([
      'api.example.com',
      'xn--bcher-kva.example',
      'a.example:8443',
      '8.8.8.8',
    ]);
  });

  it.each(['*', '*.com', '*.example.com', 'example.*', 'a..example', '.example', 'example.', '-a.example'])(
    'P13 are no pattern and no incomplete name: %s',
    (text) => expect(hostSchema.safeParse(text).success).toBe(false),
  );

  it.each([
    'https://a.example',
    'a.example/x',
    'a.example?x',
    'u@a.example',
    'a.example:99999',
    'a b.example',
  ])('P13 are nothing else of a URL: %s', (text) => expect(hostSchema.safeParse(text).success).toBe(false));

  it.each([
    '127.0.0.1',
    '10.0.0.7:8080',
    '2130706433',
    '0x7f.1',
    '169.254.169.254',
    '[::1]',
    'localhost',
    'db',
  ])('API7 are not in the network of the service, unless the operator allows it: %s', (host) => {
    expect(() => checkedHosts(['api.example', host], false)).toThrow(ProblemError);
    expect(checkedHosts([host], true)).toHaveLength(1);
  });

  it('P13 are exactly the hosts of the URLs that a request may have', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.ipV4(), fc.string(), fc.webAuthority()), (text) => {
        const host = hostOf(text);
        if (host === null) return;
        expect([new URL(`https://${host}/x`).host, hostOf(host)]).toEqual([host, host]);
      }),
    );
  });
});
