/** Prices a parcel against one rate card. Pure: all data comes in, nothing is read from outside. */

export type SurchargeKind = 'percent' | 'fixed';

export interface Surcharge {
  code: string;
  kind: SurchargeKind;
  /** Tenths of a per cent, or tenths of a cent. */
  value: number;
  /** Applies to every parcel, or only when the service is asked for. */
  service: string | null;
  validFrom: string;
}

export interface Bracket {
  zone: string;
  maxGrams: number;
  /** Tenths of a cent. */
  price: number;
}

export interface RateCard {
  id: string;
  brackets: readonly Bracket[];
  surcharges: readonly Surcharge[];
}

export class NoBracketError extends Error {
  constructor(zone: string, grams: number) {
    super(`No bracket for zone ${zone} and ${grams} g`);
    this.name = 'NoBracketError';
  }
}

const byCode = (a: Surcharge, b: Surcharge): number => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);

export function quote(card: RateCard, zone: string, grams: number, services: readonly string[]) {
  const bracket = card.brackets
    .filter((candidate) => candidate.zone === zone && candidate.maxGrams >= grams)
    .sort((a, b) => a.maxGrams - b.maxGrams)[0];
  if (bracket === undefined) throw new NoBracketError(zone, grams);

  const lines = [{ code: 'BASE', amount: bracket.price }];
  for (const surcharge of [...card.surcharges].sort(byCode)) {
    if (surcharge.service !== null && !services.includes(surcharge.service)) continue;
    const amount =
      surcharge.kind === 'fixed'
        ? surcharge.value
        : Math.trunc((bracket.price * surcharge.value) / 1000); // integer arithmetic, see ADR 0007
    lines.push({ code: surcharge.code, amount });
  }

  const sum = lines.reduce((total, line) => total + line.amount, 0);
  return {
    rateCard: card.id,
    zone,
    netCents: Math.floor((sum + 5) / 10), // half up, once
    lines: lines.map(({ code, amount }) => ({ code, cents: Math.floor((amount + 5) / 10) })),
    label: `${zone}/${grams} g`,
  };
}
