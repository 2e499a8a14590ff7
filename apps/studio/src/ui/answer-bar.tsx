import { CommentedText, feedbackOf, commentsOf } from '../api/comments';
import { Button, Group, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../api/session';
import { useTranslation } from '../i18n/i18n';
import { ConfirmButton, textProps, SmallButton } from './actions';
import { ProblemAlert } from './frames';

/** A button of an answer bar, and the answer that it gives. */
export interface AnswerChoice<Answer> {
  label: string;
  answer: Answer;
  isMain?: boolean;
  isDisabled?: boolean;
  /** Set if the answer ends something: the label before the second press, and what is lost. */
  confirm?: { label: string; consequence: string };
}

interface AnswerBarProps<Answer> {
  give: (answer: Answer) => Promise<void>;
  /** Label of the field for a reason; undefined to omit the field. */
  reasonLabel?: string;
  /** The text under review: a button adds to the reason what people ask for in its comments. */
  commented?: CommentedText | undefined;
  /** Returns the buttons, from left to right. @param reason what was typed, without spaces around */
  choices: (reason: string) => AnswerChoice<Answer>[];
}

/** Shows buttons that answer a question, unless the user may only read. */
export function AnswerBar<Answer>({ give, reasonLabel, commented, choices }: AnswerBarProps<Answer>) {
  const [reason, setReason] = useState('');
  const giving = useMutation({ mutationFn: give });
  if (!useMay('write')) return null;
  return (
    <>
      {giving.error && <ProblemAlert error={giving.error} />}
      <Group gap="xs" align="flex-end" justify="flex-end" className="answer-bar">
        {reasonLabel !== undefined && (
          <Textarea
            flex={1}
            miw={110}
            label={reasonLabel}
            maxLength={8_000}
            {...textProps(reason, setReason)}
          />
        )}
        {commented && <InsertComments of={commented} typed={reason} onChange={setReason} />}
        {choices(reason.trim()).map(
          ({ label, answer, isMain = false, isDisabled = false, confirm }, index) =>
            confirm ? (
              <ConfirmButton
                key={index}
                size="sm"
                label={label}
                confirm={confirm.label}
                consequence={confirm.consequence}
                disabled={giving.isPending}
                onConfirm={() => giving.mutate(answer)}
              />
            ) : (
              <Button
                key={index}
                variant={isMain ? 'filled' : 'default'}
                loading={giving.isPending}
                disabled={isDisabled}
                onClick={() => giving.mutate(answer)}
              >
                {label}
              </Button>
            ),
        )}
      </Group>
    </>
  );
}

interface InsertCommentsProps {
  of: CommentedText;
  /** What the user typed. */
  typed: string;
  onChange: (text: string) => void;
}

/** Adds what people ask for in open comments to feedback for a model. */
export function InsertComments({ of, typed, onChange }: InsertCommentsProps) {
  const { t } = useTranslation();
  const insert = feedbackOf(useQuery(commentsOf(of)).data ?? []);
  if (insert === '' || typed.includes(insert)) return null;
  const add = () => onChange(typed === '' ? insert : `${typed}\n\n${insert}`);
  return <SmallButton variant="subtle" size="compact-sm" label={t('comments.insert')} onClick={add} />;
}
