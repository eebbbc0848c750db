/*
 * What tests need of tokens, and no program that comes with them does for all:
 *   token init MODULE TOKEN PIN                           makes a token in the last slot
 *   token generate MODULE TOKEN PIN LABEL ID-BYTE KIND    makes a key there: rsa, p256 or p384; prints its public key in hex,
 *                                                         of RSA the modulus, else the curve's point
 *   token store MODULE TOKEN PIN LABEL ID-BYTE DER-FILE   stores a certificate
 */
#include "cryptoki.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CK_FUNCTION *call;
static unsigned char yes = 1, no = 0;

static void must(const char *what, CK_ULONG result) {
  if (result != CKR_OK) {
    fprintf(stderr, "%s: %#lx\n", what, result);
    exit(1);
  }
}

static void load(const char *module) {
  struct CK_FUNCTION_LIST *list;
  void *library = dlopen(module, RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(3);
  }
  must("list", ((CK_FUNCTION)dlsym(library, "C_GetFunctionList"))(&list));
  call = list->functions;
  must("initialize", call[AT_Initialize](NULL));
}

static CK_ULONG slots_of(CK_ULONG *slots) {
  CK_ULONG count = 64;
  must("slots", call[AT_GetSlotList](1, slots, &count));
  return count;
}

static CK_ULONG session_with(CK_ULONG slot, CK_ULONG user, const char *pin) {
  CK_ULONG session;
  must("session", call[AT_OpenSession](slot, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &session));
  must("login", call[AT_Login](session, user, pin, strlen(pin)));
  return session;
}

static CK_ULONG log_in(const char *token, const char *pin) {
  CK_ULONG slots[64], count = slots_of(slots);
  for (CK_ULONG at = 0; at < count; at++) {
    struct CK_TOKEN_INFO info;
    must("token", call[AT_GetTokenInfo](slots[at], &info));
    if (memcmp(info.label, token, strlen(token)) == 0 && info.label[strlen(token)] == ' ')
      return session_with(slots[at], CKU_USER, pin);
  }
  fprintf(stderr, "there is no token %s\n", token);
  exit(1);
}

static void init(const char *token, const char *pin) {
  CK_ULONG slots[64], slot = slots[slots_of(slots) - 1];
  unsigned char label[32];
  memset(label, ' ', sizeof label);
  memcpy(label, token, strlen(token));
  must("init token", call[AT_InitToken](slot, "12345678", 8UL, label));
  must("init PIN", call[AT_InitPIN](session_with(slot, CKU_SO, "12345678"), pin, strlen(pin)));
}

static void print_hex(CK_ULONG session, CK_ULONG object, CK_ULONG type) {
  unsigned char value[1024];
  struct CK_ATTRIBUTE attribute = {type, value, sizeof value};
  must("public key", call[AT_GetAttributeValue](session, object, &attribute, 1UL));
  for (CK_ULONG at = 0; at < attribute.length; at++) printf("%02x", value[at]);
  printf("\n");
}

static void generate(CK_ULONG session, char *label, unsigned char id, const char *kind) {
  static unsigned char p256[] = {6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7}, p384[] = {6, 5, 0x2b, 0x81, 4, 0, 0x22};
  CK_ULONG is_rsa = strcmp(kind, "rsa") == 0, is_p256 = strcmp(kind, "p256") == 0, bits = 2048, public, private;
  CK_ULONG mechanism[] = {is_rsa ? CKM_RSA_PKCS_KEY_PAIR_GEN : CKM_EC_KEY_PAIR_GEN, 0, 0};
  struct CK_ATTRIBUTE of_public[] = {
      {CKA_TOKEN, &yes, 1},
      {CKA_LABEL, label, strlen(label)},
      {CKA_ID, &id, 1},
      {CKA_EC_PARAMS, is_p256 ? p256 : p384, is_p256 ? sizeof p256 : sizeof p384},
  };
  struct CK_ATTRIBUTE of_private[] = {{CKA_TOKEN, &yes, 1}, {CKA_LABEL, label, strlen(label)}, {CKA_ID, &id, 1}};
  if (is_rsa) of_public[3] = (struct CK_ATTRIBUTE){CKA_MODULUS_BITS, &bits, sizeof bits};
  must("generate", call[AT_GenerateKeyPair](session, mechanism, of_public, 4UL, of_private, 3UL, &public, &private));
  print_hex(session, public, is_rsa ? CKA_MODULUS : CKA_EC_POINT);
}

static void store(CK_ULONG session, char *label, unsigned char id, const char *path) {
  static unsigned char der[65536];
  CK_ULONG class = 1, type = 0, handle;
  FILE *file = fopen(path, "rb");
  CK_ULONG length = file == NULL ? 0 : fread(der, 1, sizeof der, file);
  struct CK_ATTRIBUTE attributes[] = {
      {CKA_CLASS, &class, sizeof class},
      {CKA_CERTIFICATE_TYPE, &type, sizeof type},
      {CKA_TOKEN, &yes, 1},
      {CKA_PRIVATE, &no, 1},
      {CKA_LABEL, label, strlen(label)},
      {CKA_ID, &id, 1},
      /* Nobody looks for it. */
      {CKA_SUBJECT, "", 0},
      {CKA_VALUE, der, length},
  };
  must("store", call[AT_CreateObject](session, attributes, sizeof attributes / sizeof *attributes, &handle));
}

int main(int count, char **words) {
  if (count < 5) return 2;
  load(words[2]);
  if (strcmp(words[1], "init") == 0) {
    init(words[3], words[4]);
  } else if (count == 8) {
    CK_ULONG session = log_in(words[3], words[4]);
    (strcmp(words[1], "generate") == 0 ? generate : store)(session, words[5], atoi(words[6]), words[7]);
  } else {
    return 2;
  }
  must("finalize", call[AT_Finalize](NULL));
  return 0;
}
