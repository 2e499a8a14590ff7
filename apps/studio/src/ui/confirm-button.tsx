import { Button } from '@mantine/core';
import { useState } from 'react';

interface ConfirmButtonProps {
  label: string;
  /** What it says when it was pressed once and waits for the second time. */
  confirm: string;
  /** What it is about, for those who hear the page. */
  name: string;
  loading: boolean;
  onConfirm: () => void;
}

/** Does what cannot be undone after a second press; leaving it takes the first one back. */
export function ConfirmButton({ label, confirm, name, loading, onConfirm }: ConfirmButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const text = isAsked ? confirm : label;
  return (
    <Button
      size="xs"
      variant={isAsked ? 'filled' : 'default'}
      color={isAsked ? 'red' : undefined}
      loading={loading}
      onBlur={() => setAsked(false)}
      onClick={() => {
        if (isAsked) onConfirm();
        setAsked(!isAsked);
      }}
      aria-label={`${text}: ${name}`}
    >
      {text}
    </Button>
  );
}
