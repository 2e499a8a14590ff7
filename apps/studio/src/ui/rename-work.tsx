import { useClose } from './new-item';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../i18n/i18n';
import { textProps, SendForm } from './actions';

interface RenameWorkProps {
  name: string;
  rename: (name: string) => Promise<unknown>;
}

/** Form for the name of a piece of work. */
export default function RenameWork({ name, rename }: RenameWorkProps) {
  const { t } = useTranslation();
  const close = useClose();
  const [typed, setTyped] = useState(name);
  return (
    <SendForm label={t('work.rename')} send={() => rename(typed.trim()).then(close)}>
      <TextInput label={t('documents.name')} maxLength={200} data-autofocus {...textProps(typed, setTyped)} />
    </SendForm>
  );
}
