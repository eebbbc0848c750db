/*
 * Stores a certificate on a token, which softhsm2-util can't: store MODULE TOKEN PIN LABEL ID-BYTE DER-FILE
 */
#include "cryptoki.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(const char *what, CK_ULONG result) {
  if (result != CKR_OK) {
    fprintf(stderr, "%s: %#lx\n", what, result);
    exit(1);
  }
}

int main(int count, char **words) {
  struct CK_FUNCTION_LIST *list;
  static unsigned char der[65536];
  CK_ULONG slots[64], slot_count = 64, session = 0, handle, class = 1, type = 0;
  unsigned char yes = 1, no = 0, id = count == 7 ? atoi(words[5]) : 0;
  if (count != 7) return 2;
  void *library = dlopen(words[1], RTLD_NOW);
  if (library == NULL) return 3;
  must("list", ((CK_FUNCTION)dlsym(library, "C_GetFunctionList"))(&list));
  CK_FUNCTION *call = list->functions;
  must("initialize", call[AT_Initialize](NULL));
  must("slots", call[AT_GetSlotList](1, slots, &slot_count));
  for (CK_ULONG at = 0; at < slot_count; at++) {
    struct CK_TOKEN_INFO info;
    must("token", call[AT_GetTokenInfo](slots[at], &info));
    if (memcmp(info.label, words[2], strlen(words[2])) == 0 && info.label[strlen(words[2])] == ' ')
      must("session", call[AT_OpenSession](slots[at], CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &session));
  }
  must("login", call[AT_Login](session, CKU_USER, words[3], strlen(words[3])));
  FILE *file = fopen(words[6], "rb");
  CK_ULONG length = file == NULL ? 0 : fread(der, 1, sizeof der, file);
  struct CK_ATTRIBUTE attributes[] = {
      {0, &class, sizeof class},
      {0x80, &type, sizeof type},
      {1, &yes, 1},
      {2, &no, 1},
      {3, words[4], strlen(words[4])},
      {0x102, &id, 1},
      /* The subject: nobody looks for it. */
      {0x101, "", 0},
      {0x11, der, length},
  };
  must("store", call[AT_CreateObject](session, attributes, sizeof attributes / sizeof *attributes, &handle));
  return 0;
}
