import { Button, type ButtonProps } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useMay, type Scope } from '../api/session';
import { LazyDialog } from './lazy-part';

interface NewItemProps extends Pick<ButtonProps, 'variant' | 'size'> {
  label: string;
  /** Scope of the users who see it. */
  scope?: Scope;
  children: ReactNode;
}

/** Button that opens a form for a new item, for users who may; loads dialog and form on demand. */
export function NewItem({ label, scope = 'write', children, ...look }: NewItemProps) {
  const [isOpen, setOpen] = useState(false);
  if (!useMay(scope)) return null;
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
