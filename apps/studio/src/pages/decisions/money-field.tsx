import { NumberInput } from '@mantine/core';
import { formatMeasure } from '../../ui/format';

const MILLION = 1_000_000;

interface MoneyFieldProps {
  label: string;
  required: boolean | undefined;
  /** Millionths of the currency; undefined if nothing is typed. */
  value: number | undefined;
  max: number | undefined;
  onChange: (millionths: number) => void;
}

/** Input of an amount of money in the currency's unit, which the service counts in millionths. */
export function MoneyField({ label, required, value, max, onChange }: MoneyFieldProps) {
  return (
    <NumberInput
      label={label}
      required={required}
      value={value === undefined ? '' : value / MILLION}
      min={1 / MILLION}
      max={max === undefined ? undefined : max / MILLION}
      decimalScale={6}
      decimalSeparator={formatMeasure(0, 1).charAt(1)}
      onChange={(amount) => typeof amount === 'number' && onChange(Math.round(amount * MILLION))}
    />
  );
}
