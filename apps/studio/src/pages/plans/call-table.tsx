import { Checkbox, Pagination, Select, Stack, Table, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { useRunWords } from '../../ui/run-words';
import { textProps } from '../../ui/form';
import { isObject, jsonOf } from '#contracts/lenient.js';

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
  const [texts, setTexts] = useState<Record<number, string>>({});
  const report = (skip: number[], replace: Record<number, string>) => {
    setSkipped(skip);
    setTexts(replace);
    const entries = Object.entries(replace).map(([index, text]) => [index, jsonOf(text)]);
    // A text instead of an object says that a change cannot be read, as in any form.
    const isWrong = entries.some(([, value]) => !isObject(value));
    onChange?.({ skip, replace: isWrong ? JSON.stringify(replace) : Object.fromEntries(entries) });
  };
  const first = (page - 1) * PAGE;
  return (
    <Stack gap="xs">
      <Table layout="fixed">
        <Table.Tbody>
          {calls.slice(first, first + PAGE).map((call, at) => {
            const index = first + at;
            const text = texts[index] ?? JSON.stringify(call, null, 2);
            const isSkipped = skipped.includes(index);
            return (
              <Table.Tr key={index}>
                <Table.Td w={64}>
                  <Checkbox
                    label={index}
                    aria-label={t('approvalCard.call', { number: index })}
                    checked={!isSkipped}
                    disabled={!onChange}
                    onChange={() =>
                      report(
                        isSkipped ? skipped.filter((other) => other !== index) : [...skipped, index],
                        texts,
                      )
                    }
                  />
                </Table.Td>
                <Table.Td>
                  <Textarea
                    aria-label={t('approvalCard.callArguments', { number: index })}
                    maxRows={12}
                    readOnly={!onChange || isSkipped}
                    error={!isObject(jsonOf(text)) && call !== null && t('plans.notJson')}
                    {...textProps(text, (typed) => report(skipped, { ...texts, [index]: typed }))}
                  />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
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
