import fc from 'fast-check';
import iconv from 'iconv-lite';
import { encodingOffers } from './encoding-offers.js';

describe('encodingOffers', () => {
  it('D7 offers the guess first, each encoding with the line that distinguishes it', () => {
    const text = 'plain\nplain\nŁódź i zażółć gęślą jaźń\nmore\n';
    const { guess, offers } = encodingOffers(iconv.encode(text, 'windows-1250'));
    expect(offers[0]!.encoding).toBe(guess);
    expect(offers.find(({ encoding }) => encoding === 'windows-1250')?.preview).toBe(
      'Łódź i zażółć gęślą jaźń',
    );
    expect(offers.find(({ encoding }) => encoding === 'windows-1252')?.preview).toBe(
      '£ódŸ i za¿ó³æ gêœl¹ jaŸñ',
    );
  });

  it('D7 offers at least one encoding for any bytes, and none that loses a byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
        const { guess, offers } = encodingOffers(bytes);
        expect(offers[0]?.encoding).toBe(guess);
        for (const { encoding } of offers)
          expect(iconv.decode(Buffer.from(bytes), encoding)).not.toContain('\uFFFD');
      }),
    );
  });
});
