import { SmallButton } from './actions';
import { Code, CopyButton, Group, type ButtonProps, Alert, Stack } from '@mantine/core';
import { useTranslation } from '../i18n/i18n';

/** A button that copies a text. @param name of the text, for screen readers */
export function CopyText({ text, name, ...look }: ButtonProps & { text: string; name?: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <SmallButton
          {...look}
          label={t(copied ? 'reading.copied' : 'reading.copy')}
          aria-label={name && `${t('reading.copy')}: ${name}`}
          onClick={copy}
        />
      )}
    </CopyButton>
  );
}

/** Shows a new key, which the service does not show again. */
export const NewSecret = ({ title, secret }: { title: string; secret: string }) => (
  <Alert color="blue" title={title}>
    <Stack gap="sm">
      <Code block>{secret}</Code>
      <CopyText text={secret} w="fit-content" />
    </Stack>
  </Alert>
);

/** Shows the address of a new link, which the service does not show again. */
export function NewLink({ path }: { path: string }) {
  const link = window.location.origin + path;
  return (
    <Group role="status" gap="xs" wrap="nowrap">
      <Code block>{link}</Code>
      <CopyText text={link} />
    </Group>
  );
}
