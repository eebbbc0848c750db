/*
 * A PKCS#11 module of the tests: another module ($MISBEHAVE_REAL), and what goes wrong with real ones. A file in the folder
 * $MISBEHAVE_FOLDER asks for it while it is there:
 *   sleep     C_Sign takes 10 s, or as long as the file is there              wrong    C_Sign's signature is wrong
 *   crash     C_Sign segfaults             once     it does so once: that removes the file
 *   gone      the token was taken out      no-pss   it lacks CKM_RSA_PKCS_PSS
 *   always    the key asks for the PIN before each signature
 *   pad       the token takes its PIN at its own pad, where it is typed right
 *   final     the next wrong PIN locks the token
 *   three     a wrong PIN counts: three in a row lock the token                locked   that has happened
 * It prints, and reads stdin, as it is initialized. It writes a line to the file `logins` for each C_Login, to `signs` for
 * each C_Sign, and to `wrongs` for each wrong PIN, as a token counts them, whoever gives them.
 */
#include "cryptoki.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct CK_FUNCTION_LIST real, own;
/* Whether the PIN was given since C_SignInit. */
static int is_confirmed;

static const char *path_of(const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", getenv("MISBEHAVE_FOLDER"), name);
  return path;
}

static int asked(const char *name) { return access(path_of(name), F_OK) == 0; }

static void note(const char *name, const char *text) {
  FILE *file = fopen(path_of(name), "a");
  fprintf(file, "%s\n", text);
  fclose(file);
}

/* What is typed at the pad, or has to be typed again: what that file says, or 1234. */
static const char *pin_of(const char *name) {
  static char pin[64];
  FILE *file = fopen(path_of(name), "r");
  if (file == NULL || fgets(pin, sizeof pin, file) == NULL) strcpy(pin, "1234");
  if (file != NULL) fclose(file);
  return pin;
}

/* Wrong PINs since the last right one. */
static int wrong_pins(void) {
  int count = 0, letter;
  FILE *file = asked("three") ? fopen(path_of("wrongs"), "r") : NULL;
  if (file == NULL) return 0;
  while ((letter = fgetc(file)) != EOF) count += letter == '\n';
  fclose(file);
  return count;
}

static CK_ULONG initialize(void *arguments) {
  char line[16];
  printf("the module prints\n");
  fflush(stdout);
  fprintf(stderr, "and complains\n");
  note("read", fgets(line, sizeof line, stdin) == NULL ? "nothing" : line);
  return real.functions[AT_Initialize](arguments);
}

static CK_ULONG get_slot_list(unsigned char with_token, CK_ULONG *slots, CK_ULONG *count) {
  if (with_token && asked("gone")) {
    *count = 0;
    return CKR_OK;
  }
  return real.functions[AT_GetSlotList](with_token, slots, count);
}

static CK_ULONG get_token_info(CK_ULONG slot, struct CK_TOKEN_INFO *info) {
  if (asked("gone")) return CKR_TOKEN_NOT_PRESENT;
  CK_ULONG result = real.functions[AT_GetTokenInfo](slot, info);
  if (asked("pad")) info->flags |= CKF_PROTECTED_AUTHENTICATION_PATH;
  if (wrong_pins() > 0 || asked("locked")) info->flags |= CKF_USER_PIN_COUNT_LOW;
  if (wrong_pins() == 2 || asked("final")) info->flags |= CKF_USER_PIN_FINAL_TRY;
  if (wrong_pins() > 2 || asked("locked")) info->flags |= CKF_USER_PIN_LOCKED;
  return result;
}

static CK_ULONG get_mechanism_list(CK_ULONG slot, CK_ULONG *list, CK_ULONG *count) {
  CK_ULONG result = real.functions[AT_GetMechanismList](slot, list, count);
  if (result == CKR_OK && list != NULL && asked("no-pss"))
    for (CK_ULONG at = 0; at < *count; at++)
      /* The others with PSS are 0xe, and 0x43 to 0x45. */
      if (list[at] == CKM_RSA_PKCS_PSS || list[at] == 0xe || (list[at] >= 0x43 && list[at] <= 0x45)) list[at] = 0;
  return result;
}

static CK_ULONG get_session_info(CK_ULONG session, void *info) {
  return asked("gone") ? CKR_DEVICE_REMOVED : real.functions[AT_GetSessionInfo](session, info);
}

static CK_ULONG login(CK_ULONG session, CK_ULONG user, unsigned char *pin, CK_ULONG length) {
  note("logins", pin == NULL ? "pad" : user == CKU_CONTEXT_SPECIFIC ? "again" : "pin");
  if (user == CKU_CONTEXT_SPECIFIC) {
    /* The token of the other module wouldn't take it for a key without the flag. */
    is_confirmed = pin == NULL ? asked("pad") : length == strlen(pin_of("always")) && memcmp(pin, pin_of("always"), length) == 0;
    return is_confirmed ? CKR_OK : CKR_PIN_INCORRECT;
  }
  if (wrong_pins() > 2) return CKR_PIN_LOCKED;
  if (pin == NULL && asked("pad")) {
    const char *typed = pin_of("pad");
    return real.functions[AT_Login](session, user, typed, strlen(typed));
  }
  CK_ULONG result = real.functions[AT_Login](session, user, pin, length);
  if (result == CKR_PIN_INCORRECT) note("wrongs", "wrong");
  if (result == CKR_OK) unlink(path_of("wrongs"));
  return result;
}

static CK_ULONG get_attribute_value(CK_ULONG session, CK_ULONG object, struct CK_ATTRIBUTE *list, CK_ULONG count) {
  CK_ULONG result = real.functions[AT_GetAttributeValue](session, object, list, count);
  for (CK_ULONG at = 0; at < count; at++)
    if (list[at].type == CKA_ALWAYS_AUTHENTICATE && list[at].value != NULL && list[at].length == 1 && asked("always"))
      *(unsigned char *)list[at].value = 1;
  return result;
}

static CK_ULONG sign_init(CK_ULONG session, void *mechanism, CK_ULONG key) {
  is_confirmed = 0;
  return real.functions[AT_SignInit](session, mechanism, key);
}

static CK_ULONG sign(CK_ULONG session, void *data, CK_ULONG length, unsigned char *signature, CK_ULONG *signature_length) {
  note("signs", "sign");
  if (asked("always") && !is_confirmed) return CKR_USER_NOT_LOGGED_IN;
  if (asked("gone")) return CKR_DEVICE_REMOVED;
  if (asked("crash") || (asked("once") && unlink(path_of("once")) == 0)) *(volatile int *)0 = 1;
  for (int slept = 0; slept < 100 && asked("sleep"); slept++) usleep(100000);
  CK_ULONG result = real.functions[AT_Sign](session, data, length, signature, signature_length);
  if (result == CKR_OK && asked("wrong")) signature[*signature_length - 1] ^= 1;
  return result;
}

CK_ULONG C_GetFunctionList(struct CK_FUNCTION_LIST **list) {
  struct CK_FUNCTION_LIST *found;
  void *library = dlopen(getenv("MISBEHAVE_REAL"), RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return CKR_GENERAL_ERROR;
  CK_FUNCTION get = (CK_FUNCTION)dlsym(library, "C_GetFunctionList");
  CK_ULONG result = get(&found);
  if (result != CKR_OK) return result;
  real = own = *found;
  own.functions[AT_Initialize] = (CK_FUNCTION)initialize;
  own.functions[AT_GetFunctionList] = (CK_FUNCTION)C_GetFunctionList;
  own.functions[AT_GetSlotList] = (CK_FUNCTION)get_slot_list;
  own.functions[AT_GetTokenInfo] = (CK_FUNCTION)get_token_info;
  own.functions[AT_GetMechanismList] = (CK_FUNCTION)get_mechanism_list;
  own.functions[AT_GetSessionInfo] = (CK_FUNCTION)get_session_info;
  own.functions[AT_Login] = (CK_FUNCTION)login;
  own.functions[AT_GetAttributeValue] = (CK_FUNCTION)get_attribute_value;
  own.functions[AT_SignInit] = (CK_FUNCTION)sign_init;
  own.functions[AT_Sign] = (CK_FUNCTION)sign;
  *list = &own;
  return CKR_OK;
}
