/** Reasons why runs and tasks failed, in Polish. */
export const runErrors = {
  'run_error.at_chapter': 'Rozdział {number}: {error}',
  'run_error.at_task': '{task}: {error}',
  'run_error.at_task_of_tool': '{task} ({tool}): {error}',
  'run_error.with_saved_text': '{error} Dotychczasowy tekst jest zapisany.',
  'run_error.with_unchanged_text': '{error} Tekst pozostał bez zmian.',
  'run_error.with_saved_files': '{where}: {error} Dotychczasowe wyniki i pliki są zapisane.',
  'run_error.budget_exceeded': 'Budżet nie pozwala na wywołanie modelu.',
  'run_error.budget_exceeded.call': 'To wywołanie mogłoby przekroczyć budżet.',
  'run_error.budget_exceeded.cost':
    'Przebieg zakończono: wykorzystano {spent} z budżetu kosztów wynoszącego {limit}. Dotychczasowy manuskrypt jest zapisany.',
  'run_error.budget_exceeded.saved':
    'Przebieg zakończono, bo wykorzystał cały budżet. Dotychczasowy tekst jest zapisany.',
  'run_error.budget_exceeded.tokens':
    'Przebieg zakończono: wykorzystano {spent} z budżetu {limit} tokenów. Dotychczasowy manuskrypt jest zapisany.',
  'run_error.budget_exceeded.unchanged':
    'Przebieg zakończono, bo wykorzystał cały budżet. Tekst pozostał bez zmian.',
  'run_error.cancelled': 'Przebieg anulowano.',
  'run_error.changed_meanwhile': 'Od chwili zaznaczenia manuskrypt się zmienił. Zaznacz tekst jeszcze raz.',
  'run_error.child_failed': 'Przebieg {run} skończył się ze stanem {status}.',
  'run_error.graph_node_missing':
    'Przebieg powinien zostać wznowiony od kroku „{node}”, którego wersja {version} już nie zawiera. Uruchom nowy przebieg.',
  'run_error.graph_version_missing':
    'Przebieg uruchomiono w wersji {started} grafu {kind}, a usługa ma tylko wersję {version}.',
  'run_error.rolled_back': 'Przebieg anulowano i wycofano jego zmiany w sesji.',
  'run_error.run_blocked':
    'Krok przebiegu zablokował proces {times} razy, bo zbyt długo liczył bez przerwy. Uprość wzorce, wyrażenia lub teksty, a potem uruchom nowy przebieg.',
  'run_error.run_failed': 'Przebieg skończył się bez wyniku.',
  'run_error.step_failed':
    'Krok przebiegu nie powiódł się {times} razy z rzędu. Usuń przyczynę (zob. dziennik), a potem uruchom nowy przebieg.',
  'run_error.task_failed': 'Zadanie {task} nie powiodło się; liczba prób: {attempts}.',
  'run_error.task_poisoned': 'Zadanie {task} spowodowało awarię procesu roboczego {times} razy z rzędu.',
  'run_error.unknown_kind': 'Przebiegi rodzaju {kind} nie są obsługiwane.',
  'run_error.unknown_task': 'Żaden proces kolejki {queue} nie obsługuje zadania {task}.',

  'database_cause.too_large':
    'Baza danych odrzuciła wartość lub polecenie, które przekracza jej limity rozmiaru. Uruchom nowy przebieg z mniejszą liczbą zadań lub plików naraz albo z krótszymi tekstami.',
  'database_cause.disk_full': 'W bazie danych zabrakło miejsca na dysku.',
  'database_cause.out_of_memory': 'Bazie danych zabrakło pamięci.',
  'database_cause.too_many_connections': 'Baza danych nie przyjmuje więcej połączeń.',
  'database_cause.invalid_value': 'Baza danych odrzuciła wartość, której nie może zapisać.',
  'database_cause.conflict': 'Baza danych odrzuciła wiersz sprzeczny z innym.',

  'run_error.conversion_memory_limit':
    'Konwersja dokumentu wymaga zbyt dużo pamięci. Podziel go na mniejsze dokumenty.',
  'run_error.conversion_time_limit':
    'Konwersja dokumentu trwała zbyt długo. Podziel go na mniejsze dokumenty.',
  'run_error.conversion_too_deep':
    'Dokument jest zbyt głęboko zagnieżdżony, aby go przekonwertować. Uprość listy lub cytaty.',
  'run_error.extraction_failed': '{reason}. Podmień lub usuń plik i uruchom nowy przebieg.',
  'run_error.issue_at_line': 'wiersz {line}: {message}',
  'run_error.largest_source': 'Najwięcej tekstu ma źródło {name} (rozmiar w bajtach: {bytes}).',
  'run_error.no_inputs': 'Sesja nie zawiera plików. Prześlij co najmniej jeden i uruchom nowy przebieg.',
  'run_error.no_manuscript': 'Agent nic nie napisał, więc nie ma manuskryptu do przyjęcia.',
  'run_error.quality_check_failed': 'Plik Word różni się od manuskryptu lub jego źródeł: {issues}',
  'run_error.source_too_hard.references':
    'Szukanie odwołań w pliku {name} trwało zbyt długo. Podziel go lub pomiń i uruchom nowy przebieg.',
  'run_error.source_too_hard.source':
    'Przetwarzanie źródła {name} trwało zbyt długo. Podziel je lub pomiń i uruchom nowy przebieg.',
  'run_error.step_limit':
    'Agent nie zmieścił się w limicie wywołań modelu ({max}). Dotychczasowy manuskrypt jest zapisany.',
  'run_error.trace_too_hard':
    'Dokument jest zbyt duży, aby porównać go ze źródłami. Podziel go na mniejsze dokumenty.',
  'run_error.validation_failed':
    'Po trzech próbach nadal są usterki, więc przebieg przerwano. Manuskrypt jest zapisany.',

  'run_error.book_gone': 'Książkę usunięto w trakcie przebiegu.',
  'run_error.chapter_accepted':
    'Rozdział {number} zaakceptowano w trakcie przebiegu, więc pozostał bez zmian.',
  'run_error.chapter_accepted.set_state':
    'Rozdział {number} jest zaakceptowany. Aby napisać go od nowa, ustaw jego stan na „written”.',
  'run_error.chapter_empty':
    'Dla tego rozdziału nie pozostał żaden fragment źródeł, więc nie ma on tekstu. Dodaj źródła, przypisz mu fragmenty w konspekcie albo napisz go ręcznie.',
  'run_error.chapter_gone': 'Rozdział usunięto w trakcie przebiegu.',
  'run_error.chapter_required':
    'W inputs.chapter_number lub inputs.chapter_id podaj, który rozdział napisać.',
  'run_error.chapter_unknown': 'W konspekcie nie ma tego rozdziału (liczba rozdziałów: {chapters}).',
  'run_error.chapters_empty':
    'Te rozdziały nie mają tekstu, bo nie pozostał dla nich żaden fragment źródeł: {titles}. Pozostałe są napisane. Dodaj źródła, zmień konspekt albo napisz je ręcznie.',
  'run_error.feedback_not_applied': 'Nie udało się uwzględnić uwag: {reasons}',
  'run_error.feedback_not_applied.quote':
    'Model nie zaproponował zmiany, na którą pozwalają uwagi. Zacytuj słowa, które mają się zmienić: zaakceptowane akapity zmieniają się tylko wtedy, gdy uwagi je cytują.',
  'run_error.feedback_required': 'Podaj zmiany konspektu albo w inputs.operations, albo w inputs.feedback.',
  'run_error.feedback_unclear': 'Konspekt pozostał bez zmian. {why} Podaj rozdziały i to, co zmienić.',
  'run_error.feedback_unclear.no_change': 'Nie podano żadnej zmiany.',
  'run_error.message_required': 'W inputs.messages podaj wiadomości autora, najnowszą na końcu.',
  'run_error.model_text_kept.failed':
    'Model nie mógł odpowiedzieć, a moduł offline nie zastępuje tekstu napisanego przez model. Rozdział pozostał bez zmian; uruchom przebieg ponownie, gdy model będzie dostępny.',
  'run_error.model_text_kept.no_model':
    'Nie skonfigurowano modelu, a moduł offline nie zastępuje tekstu napisanego przez model. Rozdział pozostał bez zmian; uruchom przebieg ponownie, gdy model będzie dostępny.',
  'run_error.no_book': 'Sesja nie należy do żadnej książki. Uruchom przebieg z project_id książki.',
  'run_error.no_chapters': 'Żaden rozdział książki nie ma jeszcze tekstu.',
  'run_error.no_outline': 'Książka nie ma jeszcze konspektu. Utwórz go (przebieg w trybie toc).',
  'run_error.text_kept.failed':
    'Odpowiedzi modelu nie nadawały się do użycia, a moduł offline nie poprawia tekstu. Rozdział pozostał bez zmian; popraw go ręcznie albo uruchom przebieg ponownie, gdy model będzie dostępny.',
  'run_error.text_kept.no_model':
    'Nie skonfigurowano modelu, a moduł offline nie poprawia tekstu. Rozdział pozostał bez zmian; popraw go ręcznie albo uruchom przebieg ponownie, gdy model będzie dostępny.',
  'run_error.text_too_hard.article':
    'Analiza tekstu trwała zbyt długo. Skróć go lub usuń część źródeł i uruchom nowy przebieg.',
  'run_error.text_too_hard.change':
    'Sprawdzanie zmiany trwało zbyt długo. Zaznacz krótszy fragment tekstu i spróbuj ponownie.',
  'run_error.text_too_hard.chapter':
    'Analiza tekstu trwała zbyt długo. Podziel rozdział lub jego źródła i uruchom nowy przebieg.',

  'run_error.collection_unknown': 'Jedna z podanych kolekcji nie istnieje.',
  'run_error.duplicate_topic': 'Artykuł na ten temat już istnieje: „{topic}”.',
  'run_error.fetch_off':
    'W tej instalacji czytanie stron po adresie jest wyłączone. Prześlij je jako pliki albo poproś operatora o ustawienie FETCH_URL.',
  'run_error.no_approved_article':
    'Sesja nie ma zatwierdzonego artykułu. Najpierw zatwierdź artykuł albo wyślij tekst w inputs.user_text.',
  'run_error.no_corpus': 'Organizacja nie ma korpusu stylu. {advice}',
  'run_error.no_named_source':
    'Badanie ograniczone do wskazanych źródeł wymaga inputs.sources: podaj stronę lub plik albo ustaw inputs.research na „collections” lub „web”.',
  'run_error.no_research_provider':
    'W tej instalacji nie skonfigurowano wyszukiwania w sieci. Użyj kolekcji albo zwróć się do operatora.',
  'run_error.no_sources':
    'Nie znaleziono nic na ten temat. Dodaj źródła do kolekcji albo sformułuj temat inaczej.',
  'run_error.not_approved.corrections': 'Nikt nie zatwierdził poprawek. Są zapisane.',
  'run_error.not_approved.draft': 'Nikt nie zatwierdził szkicu. Jest zapisany.',
  'run_error.nothing_to_tell': 'W tekście nie ma zdania, które nadaje się na którąś z platform.',
  'run_error.rejected.corrections': 'Poprawki odrzucono {times} razy. Ostatnie są zapisane.',
  'run_error.rejected.draft': 'Szkic odrzucono {times} razy. Ostatni jest zapisany.',
  'run_error.research_quota': 'Artykuł wymaga więcej wyszukiwań w sieci, niż dopuszcza jeden przebieg.',
  'run_error.research_refused': 'Wyszukiwarka odrzuciła żądanie (stan {status}).',
  'run_error.research_stopped': 'Pracę nad artykułem zakończono po badaniu tematu.',
  'run_error.research_unavailable': 'Wyszukiwarka nie odpowiada. Spróbuj ponownie później.',
  'run_error.research_unavailable.invalid': 'Odpowiedź wyszukiwarki jest nieprawidłowa.',
  'run_error.research_unavailable.too_large': 'Odpowiedź wyszukiwarki jest zbyt duża.',
  'run_error.source_unknown':
    'Nie przesłano pliku o tej nazwie: {names}. Najpierw prześlij go do sesji albo podaj adres strony z https://.',
  'run_error.source_unreadable':
    'Usuń z inputs.sources to, czego nie da się odczytać, albo prześlij to w innej postaci. {problems}',
  'run_error.topic_required': 'W inputs.topic podaj temat artykułu.',
  'run_error.user_text_required': 'Wyślij tekst w inputs.user_text.',

  'run_error.no_model.call':
    'Ta instalacja nie ma modelu językowego. Skonfiguruj model albo zaplanuj pracę bez niego.',
  'run_error.no_model.change':
    'Nie skonfigurowano modelu, a reguły nie potrafią zmienić tekstu według polecenia. Popraw tekst ręcznie albo skonfiguruj model.',
  'run_error.proposal_unusable':
    'Model dał dwie odpowiedzi, którymi nie da się zastąpić zaznaczenia. Sformułuj polecenie inaczej albo zaznacz inny fragment.',

  'run_error.hil_timeout': 'Nikt nie zatwierdził planu na czas.',
  'run_error.no_tools': 'Żadne narzędzie nie pasuje do celu.',
  'run_error.outcome_unknown': '{error} Nie wiadomo, czy wywołanie odniosło skutek.',
  'run_error.outcome_unknown.interrupted': 'Wywołanie przerwano. Nie wiadomo, czy odniosło skutek.',
  'run_error.outcome_unknown.unanswered':
    '{task} ({tool}): nikt nie odpowiedział na czas, czy wywołanie odniosło skutek.',
  'run_error.plan_aborted.agent': 'Agent zakończył plan.',
  'run_error.plan_aborted.at_task': 'Plan zakończono na zadaniu {task} ({tool}).',
  'run_error.plan_aborted.command': 'Plan zakończyło polecenie.',
  'run_error.plan_failed.changed': 'Nie udało się zmienić planu',
  'run_error.plan_failed.made': 'Nie udało się ułożyć planu',
  'run_error.plan_failed.no_result': 'Plan skończył się bez wyniku.',
  'run_error.plan_rejected': 'Plan odrzucono.',
  'run_error.plan_rejected.reason': 'Plan odrzucono: {reason}',
  'run_error.replan_failed': 'Nie udało się zaplanować na nowo.',
  'run_error.replan_limit': 'Plan można zmienić najwyżej {max} razy.',
  'run_error.replan_no_tools': 'Żadne narzędzie nie pasuje do nowego wymagania.',
  'run_error.tool_failed.interrupted': 'Wywołanie przerwano.',
  'run_error.unknown_tool': 'Nie ma narzędzia „{tool}”.',
  'run_error.unknown_tool.approved': 'Nie ma zatwierdzonego narzędzia „{tool}”.',
  'run_error.when_not_boolean': 'Warunek („when”) musi wskazywać na true albo false.',

  semicolons: '{first}; {rest}',
} as const;
