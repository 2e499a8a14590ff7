import { Button, type ButtonProps } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useMay } from '../api/session';
import { LazyDialog } from './lazy-dialog';

interface NewItemProps extends Pick<ButtonProps, 'variant'> {
  label: string;
  children: ReactNode;
}

/** Button that opens a form for a new item, for users with write access; loads dialog and form on demand. */
export function NewItem({ label, children, ...look }: NewItemProps) {
  const [isOpen, setOpen] = useState(false);
  if (!useMay('write')) return null;
  return (
    <>
      <Button {...look} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <LazyDialog title={label} isOpen={isOpen} onClose={() => setOpen(false)}>
        {children}
      </LazyDialog>
    </>
  );
}
