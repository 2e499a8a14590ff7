import { SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../i18n/i18n';
import { textProps } from './form';

/** Reasons of rejected parts of a text by their IDs; empty if none is given. */
export type Rejections = ReadonlyMap<string, string>;

/** Returns the rejected parts, and a function that rejects one with a reason or, with null, accepts it. */
export function useRejections(): [Rejections, (id: string, reason: string | null) => void] {
  const [rejected, setRejected] = useState<Rejections>(new Map());
  const decide = (id: string, reason: string | null) => {
    const next = new Map(rejected);
    if (reason === null) next.delete(id);
    else next.set(id, reason);
    setRejected(next);
  };
  return [rejected, decide];
}

interface AcceptOrRejectProps {
  label: string;
  /** Label of the field for a reason; undefined to omit the field. */
  reasonLabel: string | undefined;
  /** Maximum characters of a reason. */
  maxReason?: number;
  /** Reason of the rejection; undefined if the part is accepted. */
  reason: string | undefined;
  /** Rejects with a reason or, with null, accepts. */
  onDecide: (reason: string | null) => void;
}

/** Lets a person accept or reject a part of a text, with a reason. */
export function AcceptOrReject({
  label,
  reasonLabel,
  maxReason = 2_000,
  reason,
  onDecide,
}: AcceptOrRejectProps) {
  const { t } = useTranslation();
  return (
    <>
      <SegmentedControl
        mt="xs"
        size="xs"
        aria-label={label}
        data={[
          { value: 'accept', label: t('revision.accept') },
          { value: 'reject', label: t('revision.reject') },
        ]}
        value={reason === undefined ? 'accept' : 'reject'}
        onChange={(value) => onDecide(value === 'accept' ? null : '')}
      />
      {reasonLabel !== undefined && reason !== undefined && (
        <TextInput mt="xs" label={reasonLabel} maxLength={maxReason} {...textProps(reason, onDecide)} />
      )}
    </>
  );
}
