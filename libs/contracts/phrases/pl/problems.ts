/** Advice of problems in Polish. */
export const problems = {
  'body_too_large.smaller': 'Wyślij mniej danych naraz, a pliki prześlij jako załączniki.',
  'changed_meanwhile.chapter': 'Rozdział ma już inny tekst. Zaznacz fragment ponownie.',
  'changed_meanwhile.merge': 'Wczytaj aktualną wersję, nanieś na nią swoją zmianę i zapisz ponownie.',
  'changed_meanwhile.newer_version': 'Istnieje nowsza wersja. Porównaj z nią i zdecyduj ponownie.',
  'changed_meanwhile.text': 'Tekst zmienił się od czasu zaznaczenia. Zaznacz fragment ponownie.',
  'chapter_empty.no_text': 'Rozdział nie zawiera tekstu, który można by zmienić.',
  'chapter_empty.set_state': 'Zanim ustawisz stan rozdziału, musi on mieć tekst.',
  'checkpoint_unusable.file_gone':
    'Jeden z plików tego punktu kontrolnego już nie istnieje. Wybierz inny punkt.',
  'checkpoint_unusable.fork_too_new':
    'Najnowszy przebieg odgałęzienia nie ma jeszcze punktu kontrolnego. Poczekaj chwilę.',
  'checkpoint_unusable.keys_missing':
    'Punkt kontrolny zapisała starsza wersja grafu i brakuje w nim: {keys}. Wybierz inny punkt.',
  'checkpoint_unusable.kind': 'To wydanie nie obsługuje przebiegów rodzaju {kind}.',
  'checkpoint_unusable.node_gone':
    'Punkt kontrolny zapisała starsza wersja grafu, a jej węzeł „{node}” już nie istnieje. Wybierz inny punkt.',
  'checkpoint_unusable.rolled_back': 'Przebieg został wycofany, więc nie można wznowić go z żadnego punktu.',
  'checkpoint_unusable.text_only':
    'Z tego nazwanego punktu zachował się tylko tekst. Przywróć go przez POST …/checkpoints/ID/restore.',
  'corpus_empty.add_texts':
    'Dodaj teksty i poczekaj na ich zindeksowanie albo zmień filtr autora, pochodzenia lub języka.',
  'cost_quota_exceeded.spent':
    'Organizacja wydała {spent} z {limit}. Poczekaj do następnego miesiąca albo poproś operatora o zwiększenie limitu.',
  'cross_site_request.browser':
    'Zalogowana przeglądarka może wprowadzać zmiany tylko ze stron tej usługi. Programy muszą wysyłać klucz API.',
  'cross_site_request.other_site': 'Żądanie pochodzi ze strony innej witryny.',
  'decision_answered.accepted': 'Zmiana została już przyjęta.',
  'decision_answered.different':
    'Liczy się pierwsza odpowiedź, a ta była inna. Otwórz pytanie, aby ją zobaczyć.',
  'decision_answered.early': 'Liczy się pierwsza odpowiedź. Pobierz odpowiedzi, aby ją zobaczyć.',
  'decision_answered.failed': 'Zmiana się nie powiodła.',
  'decision_answered.proposed': 'Nie ma jeszcze decyzji w sprawie tej zmiany.',
  'decision_answered.proposing': 'Zmiana jest jeszcze przygotowywana.',
  'decision_answered.rejected': 'Zmiana została już odrzucona.',
  'decision_stale.no_approval': 'Plan nie czeka w tym miejscu na zatwierdzenie.',
  'decision_stale.no_command': 'Plan nie czeka na polecenie kontynuacji.',
  'decision_stale.not_waiting': 'Przebieg nie czeka już na tę odpowiedź.',
  'diff_too_large.bytes': 'Nie można porównać manuskryptów większych niż {max} B.',
  'diff_too_large.manuscripts': 'Porównaj bardziej podobne wersje albo pobierz obie.',
  'diff_too_large.versions': 'Wersje za bardzo się różnią. Porównaj bardziej podobne.',
  'empty_upload.answer_file': 'Plik „{name}” jest pusty. Wyślij jego treść albo go pomiń.',
  'empty_upload.no_file': 'Wyślij co najmniej jeden plik jako część multipart/form-data.',
  'file_exists.different':
    'Jest tu już inny plik o nazwie „{name}”. Najpierw go usuń albo zmień nazwę nowego pliku.',
  'file_in_use.active_run': 'Poczekaj, aż trwający przebieg się skończy, albo go anuluj.',
  'file_too_large.base64': 'Pobierz sam plik: usuń „/base64” z adresu URL.',
  'file_too_large.input': 'Plik „{name}” przekracza {limit} MB. Podziel go na części.',
  'file_too_large.resource': 'Zasób przekracza 8 MiB. Pobierz go przez API.',
  'file_too_large.split': 'Plik przekracza limit. Podziel go albo skontaktuj się z operatorem.',
  'forbidden.cannot_grant': 'Twój klucz nie może nadać uprawnienia, którego sam nie ma: {scopes}.',
  'forbidden.link_from_token': 'Tokenem nie można utworzyć odnośnika do logowania. Wyślij klucz API.',
  'forbidden.no_scope': 'Do tego potrzebne jest uprawnienie „{scope}”, a nie masz żadnego.',
  'forbidden.scope': 'Do tego potrzebne jest uprawnienie „{scope}”, a masz: {scopes}.',
  'forbidden.token_from_token': 'Tokenem nie można utworzyć kolejnego tokenu. Wyślij klucz API.',
  'headers_too_large.shorter': 'Wyślij mniej nagłówków, krótsze nagłówki albo krótszy adres URL.',
  'idempotency_key_reused.new_key': 'Do innego żądania użyj nowego klucza.',
  'idempotency_outcome_unknown.check_effect':
    'Pierwsze żądanie zostało przerwane. Sprawdź, czy odniosło skutek; jeśli nie, wyślij je z nowym kluczem.',
  'idempotency_under_way.wait': 'Poczekaj chwilę i wyślij żądanie ponownie.',
  'internal_error.retry':
    'Spróbuj ponownie. Jeśli błąd się powtórzy, podaj operatorowi identyfikator żądania z odpowiedzi.',
  'invalid_answer.file_choice': 'Wybierz jeden z plików, wyślij nowy albo go pomiń.',
  'invalid_answer.json_or_multipart':
    'Wyślij obiekt JSON albo multipart/form-data z osobną częścią dla każdego odwołania.',
  'invalid_answer.paragraph_ids': 'Użyj identyfikatorów akapitów z details.paragraphs.',
  'invalid_answer.plan_arguments': 'Można zmieniać tylko argumenty zadań z następnej warstwy.',
  'invalid_answer.schema': 'Niektóre pola odpowiedzi nie pasują do pytania.',
  'invalid_file_name.rename': 'Nazwa pliku {problem}. Zmień nazwę pliku i wyślij go ponownie.',
  'invalid_request.bibliography':
    'Tekst nie jest bibliografią w formacie BibTeX ani CSL-JSON albo nie ma wpisów.',
  'invalid_request.csl_style':
    'To jest styl cytowania CSL; takie style nie są obsługiwane. Zaimportuj BibTeX lub CSL-JSON i wybierz przy eksporcie styl chicago, apa, mla albo numeric.',
  'invalid_request.one_reference': 'Wyślij dokładnie jeden wpis dla źródła.',
  'invalid_request.assignee': 'Przypisz pytania do klucza API tej organizacji.',
  'invalid_request.body': 'Niektóre dane są nieprawidłowe.',
  'invalid_request.characters':
    'Żądanie zawiera znak NUL albo połowę pary surogatów. Usuń to i wyślij żądanie ponownie.',
  'invalid_request.compare_what': 'Podaj, co porównać: „with”, „version” albo „with_version”.',
  'invalid_request.cursor': 'Przekaż „next_cursor” z poprzedniej strony bez zmian.',
  'invalid_request.encoding': 'To kodowanie jest nieznane. Użyj na przykład windows-1250 albo utf-16le.',
  'invalid_request.expiry': 'Data ważności klucza musi być w przyszłości.',
  'invalid_request.files_per_request': 'Wyślij najwyżej {max} plików w jednym żądaniu.',
  'invalid_request.idempotency_key': 'Wyślij klucz taki jak UUID.',
  'invalid_request.intent_or_dag': 'Podaj „intent”, „dag” albo „template”.',
  'invalid_request.nested': 'Zagnieżdżenie danych przekracza {max} poziomów. Spłaszcz je.',
  'invalid_request.query': 'Niektóre parametry są nieprawidłowe.',
  'invalid_request.text_too_hard': 'Analiza tekstu trwa zbyt długo. Podziel go na kilka rozdziałów.',
  'invalid_request.texts_too_hard': 'Analiza tekstu trwa zbyt długo. Podziel go na kilka tekstów.',
  'invalid_request.unknown_changes': 'Można decydować tylko o zmianach między tymi dwiema wersjami.',
  'invalid_request.unknown_inputs': 'Sesja nie ma plików o tych nazwach: {names}.',
  'last_admin_key.create_another':
    'Najpierw utwórz inny bezterminowy klucz z uprawnieniem admin albo wymień ten na nowy.',
  'malformed_json.empty': 'Według typu treści żądanie to JSON, ale nie ma treści.',
  'malformed_json.not_utf8': 'Treść nie jest w UTF-8, a JSON musi być w UTF-8.',
  'malformed_json.send_json': 'Wyślij prawidłowy JSON.',
  'malformed_json.unreadable': 'Nie udało się odczytać żądania. Sprawdź jego treść i nagłówki.',
  'malformed_multipart.boundary': 'Typ treści musi zawierać separator części, nie dłuższy niż 70 znaków.',
  'malformed_multipart.incomplete':
    'Przesłane dane są niepełne albo ich części nie rozdziela podany separator. Wyślij pliki ponownie.',
  'malformed_multipart.rename_part': 'Zmień nazwę tej części.',
  'malformed_request.not_http': 'Żądanie nie jest prawidłowym HTTP.',
  'mcp_server_exists.name': 'Wybierz nazwę inną niż „{name}” albo usuń istniejący serwer.',
  'method_not_allowed.methods': 'Użyj jednej z metod: {methods}.',
  'model_failed.ask_again': '{reason} Zapytaj ponownie.',
  'model_failed.send_again': '{reason} Wyślij wiadomość ponownie albo wypełnij formularz.',
  'model_price_unknown.set_price':
    'Obowiązuje budżet kosztów, ale model nie ma ceny. Podaj ją przy swoim modelu, poproś o to operatora (MODEL_PRICES) albo ogranicz liczbę tokenów (max_tokens).',
  'no_corpus.add_texts':
    'Dodaj teksty do kolekcji przeznaczonej na styl albo wybierz reguły ogólne, aby sprawdzić tekst bez korpusu.',
  'needs_model.chapter':
    'Nie skonfigurowano modelu, który mógłby uwzględnić uwagi do rozdziału. Popraw tekst samodzielnie albo skonfiguruj model.',
  'needs_model.outline':
    'Nie skonfigurowano modelu, który mógłby uwzględnić uwagi do konspektu. Podaj zmiany jako operacje ({operations}), zmień konspekt samodzielnie albo skonfiguruj model.',
  'needs_model.plan':
    'Nie skonfigurowano modelu, który mógłby ułożyć plan do podanego celu. Uruchom szablon ({templates}), podaj plan jako graf albo skonfiguruj model.',
  'needs_model.profile':
    'Nie skonfigurowano modelu, który mógłby czytać wiadomości o książce. Wypełnij pola profilu ({fields}) albo skonfiguruj model.',
  'needs_model.profile_rules':
    'Reguły nie odpowiadają już na wiadomości. Wypełnij pola profilu ({fields}) albo wyślij wiadomość do modelu ponownie.',
  'no_embeddings.lexical':
    'Użyj trybu wyszukiwania „lexical” albo ustaw model embeddingów dla swojego punktu końcowego lub dla całej instalacji.',
  'no_inputs.no_usable': 'Żaden z plików nie jest tekstem, dokumentem ani obrazem.',
  'no_inputs.upload': 'Zanim uruchomisz przebieg, wyślij co najmniej jeden plik.',
  'no_manuscript.not_started':
    'Nie ma jeszcze manuskryptu. Uruchom przebieg albo poczekaj na pierwszy rozdział.',
  'no_manuscript.nothing_to_change':
    'Nie ma jeszcze tekstu, który można by zmienić. Uruchom przebieg i poczekaj na wynik.',
  'no_manuscript.of_session': 'Sesja {session} nie ma jeszcze manuskryptu.',
  'no_model.change':
    'Reguły nie potrafią zmienić tekstu zgodnie z poleceniem. Popraw go samodzielnie, ustaw model albo poproś o to operatora.',
  'no_model.nothing_to_check':
    'Nie ma modelu do sprawdzenia. Ustaw go poleceniem „scriptorium model set” albo poproś operatora o ustawienie OPENAI_MODEL i OPENAI_API_KEY (dowolna wartość, jeśli serwer nie wymaga klucza).',
  'no_proposal.ended': 'Przebieg skończył się bez propozycji; przyczynę podaje jego błąd. Uruchom nowy.',
  'no_proposal.still_working': 'Przebieg jeszcze trwa. Poczekaj na jego koniec.',
  'not_a_fork.other_session': 'Zastąpić oryginał może tylko sesja, która jest jego odgałęzieniem.',
  'not_assignee.wrong_key':
    'Odpowiedzieć może tylko klucz, któremu przypisano pytanie, albo klucz z uprawnieniem admin.',
  'not_found.active_key': 'Nie ma takiego klucza API albo stracił on ważność.',
  'not_found.book': 'Nie znaleziono książki.',
  'not_found.chapter': 'Nie znaleziono rozdziału.',
  'not_found.chapter_version': 'Nie znaleziono rozdziału albo wersji.',
  'not_found.checkpoint': 'Przebieg nie ma punktu kontrolnego {checkpoint}.',
  'not_found.checkpoint_of_run':
    'Przebieg nie ma punktu kontrolnego o tym identyfikatorze. Dostępne punkty pokazuje jego historia.',
  'not_found.collection': 'Nie znaleziono kolekcji.',
  'not_found.decision': 'Nie znaleziono pytania.',
  'not_found.decision_deleted': 'Pytanie zostało usunięte razem z sesją.',
  'not_found.export': 'Nie ma tu pliku wynikowego o tym identyfikatorze.',
  'not_found.failed_job': 'W kolejkach {queues} nie ma nieudanego zadania o tym identyfikatorze.',
  'not_found.finding':
    'W tekście nie ma uwagi o tym identyfikatorze. Tekst mógł się zmienić: odczytaj go ponownie.',
  'not_found.fork': 'Nie znaleziono sesji podanej w „fork_session_id”.',
  'not_found.image': 'Sesja nie ma obrazu, do którego prowadzi to odwołanie.',
  'not_found.input': 'Nie ma tu pliku o tej nazwie.',
  'not_found.key': 'Nie znaleziono klucza API.',
  'not_found.mcp_server': 'Nie znaleziono serwera MCP.',
  'not_found.named_checkpoint': 'Nie ma tu nazwanego punktu o tym identyfikatorze.',
  'not_found.named_checkpoint_of_run': 'Przebieg nie ma nazwanego punktu o tym identyfikatorze.',
  'not_found.not_indexed': 'Źródło nie zostało jeszcze zindeksowane.',
  'not_found.parent_deleted': 'Element nadrzędny został w międzyczasie usunięty.',
  'not_found.path': 'Ta ścieżka nie istnieje albo nie obsługuje tej metody.',
  'not_found.plan': 'Nie znaleziono planu.',
  'not_found.result': 'Nie ma tu wyniku tego rodzaju o tej nazwie.',
  'not_found.run': 'Nie znaleziono przebiegu.',
  'not_found.run_of_session': 'Sesja nie ma przebiegu o tym identyfikatorze.',
  'not_found.secret': 'Nie znaleziono sekretu.',
  'not_found.session': 'Nie znaleziono sesji.',
  'not_found.session_gone': 'Nie znaleziono sesji.',
  'not_found.source': 'Nie znaleziono źródła.',
  'not_found.task_result': 'Plan nie ma wyniku tego zadania.',
  'not_found.tenant': 'Nie znaleziono organizacji.',
  'not_found.thread_article': 'W tym wątku nie ma jeszcze artykułu. Wyślij „inputs”, aby go rozpocząć.',
  'not_found.thread_question': 'W tym wątku nie ma otwartego pytania o tym identyfikatorze.',
  'not_found.tool_of_server': 'Serwer nie ma narzędzia o nazwie „{tool}”.',
  'not_found.url': 'Ścieżka nie jest prawidłowym adresem URL.',
  'not_found.version': 'Nie znaleziono wersji.',
  'not_found.version_or_checkpoint': 'Nie ma tu wersji ani nazwanego punktu o tym identyfikatorze.',
  'not_found.webhook': 'Nie znaleziono webhooka.',
  'not_text.binary':
    'Plik „{name}” ma nazwę pliku tekstowego, ale zawiera dane binarne. Popraw rozszerzenie albo pomiń plik.',
  'not_text.nul':
    "Plik „{name}” zawiera bajty NUL, jak log ucięty w trakcie zapisu. Usuń je: tr -d '\\000' < PLIK.",
  'not_utf8.guess':
    'Plik „{name}” nie jest w UTF-8. Jego kodowanie wygląda na: {guess}. Przekonwertuj plik albo wyślij go z ?encoding=NAZWA, a zostanie przekonwertowany (?encoding=WZORZEC=NAZWA dla plików o pasującej nazwie).',
  'not_utf8.other_encoding': 'Plik „{name}” nie jest ani w UTF-8, ani w {encoding}. Podaj jego kodowanie.',
  'precondition_required.chapter':
    'Wyślij ETag edytowanego rozdziału jako If-Match, aby nie nadpisać cudzych zmian.',
  'request_timeout.body': 'Treść nie dotarła na czas. Wyślij ją ponownie.',
  'request_timeout.headers': 'Nagłówki nie dotarły na czas.',
  'run_active.cancel_first': 'Najpierw anuluj trwający przebieg albo poczekaj, aż się skończy.',
  'run_active.wait': 'Poczekaj, aż trwający przebieg się skończy, albo go anuluj.',
  'run_finished.no_book_writer': 'Żaden przebieg nie pisze teraz całej książki, więc nie ma czego zatrzymać.',
  'run_finished.no_more_questions': 'Przebieg się skończył i nie zada już pytań.',
  'run_finished.nothing_to_cancel': 'Przebieg już się skończył; nie ma czego anulować.',
  'run_finished.plan': 'Plan już się skończył.',
  'run_finished.plan_ending': 'Plan się skończył albo właśnie się kończy.',
  'secret_exists.name': 'Wybierz nazwę inną niż „{name}” albo zmień istniejący sekret.',
  'source_unreadable.old_word':
    'Plik {name} jest w starym formacie Worda. Zapisz go jako .docx (w Wordzie: Zapisz jako; bez Worda: soffice --convert-to docx) i wyślij ten plik.',
  'source_unreadable.unknown_type':
    'Z pliku {name} nie da się odczytać tekstu. Wyślij tekst, Markdown, PDF, Word (.docx), RTF, OpenDocument, Excel (.xlsx), PowerPoint (.pptx), EPUB, HTML, notatnik lub CSV.',
  'storage_quota_exceeded.used':
    'Organizacja zajmuje {used} z {limit} B. Usuń dokumenty albo pliki lub poproś operatora o zwiększenie limitu.',
  'storage_quota_exceeded.would_use':
    'Organizacja zajęłaby {used} z {limit} B. Usuń źródła albo dokumenty lub poproś operatora o zwiększenie limitu.',
  'task_over.restore': 'Organizacja może przywrócić przebieg z punktu kontrolnego albo uruchomić nowy.',
  'tenant_suspended.ask_operator': 'Poproś operatora usługi o odblokowanie.',
  'token_quota_exceeded.used':
    'Organizacja zużyła {used} z {limit} tokenów. Poczekaj do następnego miesiąca albo poproś operatora o zwiększenie limitu.',
  'too_many_chapters.max': 'Książka może mieć najwyżej {max} rozdziałów.',
  'too_many_collections.max': 'Najpierw usuń którąś kolekcję; limit organizacji to {max}.',
  'too_many_files.files_per_request': 'Wyślij mniej plików naraz.',
  'too_many_files.parts_per_request': 'Wyślij mniej części naraz.',
  'too_many_files.session_has':
    'Limit plików to {max}, a teraz jest ich {count}. Podziel je na kilka dokumentów albo poproś operatora o zwiększenie limitu.',
  'too_many_files.session_max':
    'Limit plików to {max}. Podziel je na kilka dokumentów albo poproś operatora o zwiększenie limitu.',
  'too_many_keys.max':
    'Organizacja może mieć najwyżej {max} ważnych kluczy. Najpierw odwołaj któryś albo wymień go bez okresu przejściowego.',
  'too_many_mcp_servers.max': 'Najpierw usuń któryś serwer; limit organizacji to {max}.',
  'too_many_requests.address':
    'Z Twojego adresu przyszło zbyt wiele żądań z nieprawidłowymi danymi logowania. Spróbuj ponownie za {seconds} s.',
  'too_many_requests.key': 'Klucz może wysłać {max} żądań na minutę. Spróbuj ponownie za {seconds} s.',
  'too_many_requests.tenant':
    'Wszystkie klucze organizacji mogą razem wysłać {max} żądań na minutę. Spróbuj ponownie za {seconds} s.',
  'too_many_secrets.max': 'Najpierw usuń któryś sekret; limit organizacji to {max}.',
  'too_many_webhooks.max': 'Najpierw usuń któryś webhook; limit organizacji to {max}.',
  'transcript_unavailable.address':
    'Podaj adres filmu z YouTube, na przykład https://www.youtube.com/watch?v=…',
  'transcript_unavailable.empty': 'YouTube zwrócił puste napisy. Wyślij napisy jako plik .vtt albo .srt.',
  'transcript_unavailable.no_captions': 'Film nie ma publicznych napisów.',
  'transcript_unavailable.no_response':
    'YouTube nie zwrócił napisów. Wyślij napisy jako plik .vtt albo .srt.',
  'transcript_unavailable.no_text': 'Napisy filmu nie zawierają tekstu.',
  'transcript_unavailable.not_played': 'YouTube nie odtwarza tego filmu: {reason}',
  'transcript_unavailable.not_webvtt': 'Nie udało się odczytać napisów filmu.',
  'transcript_unavailable.other_host': 'Napisy są na nieoczekiwanym serwerze.',
  'transcript_unavailable.other_languages': 'Film ma napisy w językach: {languages}.',
  'transcript_unavailable.unreadable':
    'Nie udało się odczytać odpowiedzi YouTube. Wyślij napisy jako plik .vtt albo .srt.',
  'transcripts_off.upload_captions':
    'Wyślij napisy jako plik .vtt albo .srt lub poproś operatora o włączenie YOUTUBE_TRANSCRIPTS.',
  'unauthorized.audience':
    'Token jest przeznaczony dla innego odbiorcy. Utwórz token dla „{audience}” albo wyślij klucz API.',
  'unauthorized.key_ended': 'Klucz API właśnie wygasł albo został odwołany.',
  'unauthorized.link_used':
    'Odnośnik został już użyty albo ma ponad pięć minut. Utwórz nowy albo zaloguj się kluczem API.',
  'unauthorized.operator': 'Wyślij dane logowania operatora (HTTP Basic).',
  'unauthorized.send_key': 'Wyślij ważny klucz API jako „Authorization: Bearer scr_…”.',
  'unauthorized.session_ended': 'Sesja wygasła. Zaloguj się ponownie.',
  'unauthorized.stream': 'Klucz API wygasł albo został odwołany. Przebieg trwa dalej.',
  'unavailable.copy_slow': 'Kopiowanie trwało zbyt długo. Wyślij żądanie ponownie.',
  'unavailable.deleting': 'Pliki z poprzedniej próby są jeszcze usuwane. Spróbuj ponownie za godzinę.',
  'unavailable.retry': 'Wyślij żądanie ponownie za {seconds} s.',
  'unsupported_media_type.compressed': 'Wyślij treść bez kompresji, bez nagłówka Content-Encoding.',
  'unsupported_media_type.multipart': 'Wyślij pliki jako multipart/form-data.',
  'unsupported_media_type.send_json': 'Wyślij application/json, a pliki jako multipart/form-data.',
  'unsupported_media_type.send_multipart':
    'Wyślij pliki jako multipart/form-data, na przykład poleceniem curl -F file=@notatki.md.',
  'book_title.no_word': 'Tytuł musi zawierać co najmniej jedno słowo.',
  'book_title.placeholder': '„{title}” to tylko tytuł zastępczy. Jaki tytuł ma się znaleźć na okładce?',
  'file_name.absolute': 'zaczyna się od „/”; podaj ścieżkę względem folderu źródeł',
  'file_name.backslash': 'zawiera „\\”; foldery rozdzielaj znakiem „/”',
  'file_name.empty': 'jest pusta',
  'file_name.folder': 'kończy się na „/”, czyli oznacza folder',
  'file_name.invisible': 'zawiera znak sterujący albo niewidoczny',
  'file_name.long': 'przekracza {max} B',
  'file_name.long_part': 'zawiera część dłuższą niż {max} B',
  'file_name.parent_folder': 'zawiera folder „..”',
  'file_name.two_dots': 'zawiera część, która zaczyna się od „..”',
  'file_name.unicode': 'nie jest prawidłowym tekstem Unicode',
  'selection.ambiguous':
    'Zaznaczone słowa występują w tekście więcej niż raz. Zaznacz więcej słów albo wskaż, o które miejsce chodzi.',
  'selection.few_lines': {
    one: 'Tekst ma tylko {count} wiersz.',
    few: 'Tekst ma tylko {count} wiersze.',
    many: 'Tekst ma tylko {count} wierszy.',
    other: 'Tekst ma tylko {count} wiersza.',
  },
  'selection.fewer': 'Zaznaczone słowa występują w tekście mniej razy niż {count}.',
  'selection.lines_reversed': 'Ostatni wiersz jest przed pierwszym.',
  'selection.no_words': 'Zaznaczenie nie zawiera słów.',
  'selection.not_in_text': 'Tekst nie zawiera zaznaczonych słów dokładnie w tej postaci.',
  'selection.too_long': 'Zaznacz naraz najwyżej {max} znaków.',
  'url_refused.credentials': 'Adres URL nie może zawierać danych logowania.',
  'url_refused.invalid': 'Adres URL jest nieprawidłowy.',
  'url_refused.not_https': 'Adres URL musi zaczynać się od https://.',
  'url_refused.not_public': 'Serwer może mieć tylko publiczne adresy.',
  'url_refused.port': 'Dozwolone porty: {ports}.',
} as const;
