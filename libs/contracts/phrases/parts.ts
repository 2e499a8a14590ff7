import { isPhraseCode, phrase, type Phrase } from './phrase.js';

const MILLION = 1_000_000;
const PLATFORM = /^repurpose_(.+)$/;

/**
 * Returns an amount of money as people write it, such as 0.42 or, in German, 0,42: exact, with at least two decimals.
 *
 * @param millionths of the currency
 */
export function moneyPhrase(millionths: number): Phrase {
  const fraction = String(millionths % MILLION)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return phrase('amount.money', { whole: Math.floor(millionths / MILLION), fraction });
}

/**
 * Reads an amount of money that a person typed, with a decimal point or comma.
 *
 * @returns millionths of the currency; null if the text is not a positive amount with at most six decimals
 */
export function readMoney(typed: string): number | null {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:[.,](\d{1,6}))?$/.exec(typed.trim()) ?? [];
  if (whole === undefined) return null;
  const millionths = Number(whole) * MILLION + Number(fraction.padEnd(6, '0'));
  return millionths === 0 ? null : millionths;
}

/** Returns in words what a model was asked for; its name if it has no words. */
export function operationPhrase(name: string): Phrase | string {
  const platform = PLATFORM.exec(name)?.[1];
  if (platform !== undefined) return phrase('operation.repurpose', { platform });
  const code = `operation.${name}`;
  return isPhraseCode(code) ? { code, params: {} } : name;
}
