import { Checkbox, Group, Pagination, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { useRunWords } from '../../ui/run-words';
import { ValueField } from '../../ui/value-field';
import { isObject } from '#contracts/lenient.js';

const PAGE = 25;

interface CallTableProps {
  /** Arguments of each call; null if an item lacks a value. */
  calls: readonly (Record<string, unknown> | null)[];
  /** Receives the changes, `skip` and `replace` of the `map`; undefined if the user may only read. */
  onChange: ((changes: { skip: number[]; replace: unknown }) => void) | undefined;
}

/** Shows the calls that a plan step will make, of which each can be changed or left out. */
export function CallTable({ calls, onChange }: CallTableProps) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const [skipped, setSkipped] = useState<number[]>([]);
  const [replaced, setReplaced] = useState<Record<number, unknown>>({});
  const report = (skip: number[], replace: Record<number, unknown>) => {
    setSkipped(skip);
    setReplaced(replace);
    // A text instead of an object says that a change cannot be read, as in any form.
    const isWrong = Object.values(replace).some((value) => !isObject(value));
    onChange?.({ skip, replace: isWrong ? JSON.stringify(replace) : replace });
  };
  const first = (page - 1) * PAGE;
  return (
    <Stack gap="xs">
      {calls.slice(first, first + PAGE).map((call, at) => {
        const index = first + at;
        const isSkipped = skipped.includes(index);
        const others = isSkipped ? skipped.filter((other) => other !== index) : [...skipped, index];
        return (
          <Group key={index} wrap="nowrap" align="flex-start">
            <Checkbox
              label={index}
              aria-label={t('approvalCard.call', { number: index })}
              checked={!isSkipped}
              disabled={!onChange}
              onChange={() => report(others, replaced)}
            />
            <div className="plan-call">
              <ValueField
                label={t('approvalCard.callArguments', { number: index })}
                schema={{ type: 'object' }}
                value={index in replaced ? replaced[index] : call}
                onChange={
                  onChange && !isSkipped
                    ? (value) => report(skipped, { ...replaced, [index]: value ?? '' })
                    : undefined
                }
              />
            </div>
          </Group>
        );
      })}
      {calls.length > PAGE && (
        <Pagination total={Math.ceil(calls.length / PAGE)} value={page} onChange={setPage} />
      )}
    </Stack>
  );
}

const OUTCOMES = ['repeat', 'done', 'failed'] as const;
/** Answers for single items by position; the others get the answer of the button. */
export type ItemAnswers = Record<string, (typeof OUTCOMES)[number]>;

interface InterruptedItemsProps {
  items: readonly number[];
  answers: ItemAnswers;
  onChange: (answers: ItemAnswers) => void;
}

/** Asks for the outcome of each interrupted call; without a choice, an item gets the answer for all. */
export function InterruptedItems({ items, answers, onChange }: InterruptedItemsProps) {
  const { t } = useTranslation();
  const words = useRunWords();
  const choices = OUTCOMES.map((value) => ({ value, label: words.choice(value) }));
  return (
    <Stack gap="xs">
      {items.map((index) => (
        <Select
          key={index}
          label={t('approvalCard.call', { number: index })}
          placeholder={t('approvalCard.asForAll')}
          clearable
          data={choices}
          value={answers[index] ?? null}
          onChange={(value) => {
            const { [index]: _, ...others } = answers;
            onChange(value === null ? others : { ...others, [index]: value as ItemAnswers[string] });
          }}
        />
      ))}
    </Stack>
  );
}
