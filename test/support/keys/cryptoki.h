/* As much of PKCS#11 2.40 as the tests need: its functions by their place in the list, and a few numbers. */
#include <stddef.h>

typedef unsigned long CK_ULONG;
typedef CK_ULONG (*CK_FUNCTION)();

struct CK_FUNCTION_LIST {
  unsigned char version[2];
  CK_FUNCTION functions[68];
};

struct CK_ATTRIBUTE {
  CK_ULONG type;
  void *value;
  CK_ULONG length;
};

struct CK_TOKEN_INFO {
  unsigned char label[32], manufacturer[32], model[16], serial[16];
  CK_ULONG flags;
  CK_ULONG numbers[10];
  unsigned char versions[4], time[16];
};

enum {
  AT_Initialize = 0,
  AT_Finalize = 1,
  AT_GetFunctionList = 3,
  AT_GetSlotList = 4,
  AT_GetTokenInfo = 6,
  AT_GetMechanismList = 7,
  AT_InitToken = 9,
  AT_InitPIN = 10,
  AT_OpenSession = 12,
  AT_GetSessionInfo = 15,
  AT_Login = 18,
  AT_CreateObject = 20,
  AT_GetAttributeValue = 24,
  AT_SignInit = 42,
  AT_Sign = 43,
  AT_GenerateKeyPair = 59,
};

#define CKR_OK 0UL
#define CKR_GENERAL_ERROR 5UL
#define CKR_DEVICE_REMOVED 0x32UL
#define CKR_PIN_INCORRECT 0xa0UL
#define CKR_PIN_LOCKED 0xa4UL
#define CKR_TOKEN_NOT_PRESENT 0xe0UL
#define CKR_USER_NOT_LOGGED_IN 0x101UL
#define CKF_SERIAL_SESSION 4UL
#define CKF_RW_SESSION 2UL
#define CKF_PROTECTED_AUTHENTICATION_PATH 0x100UL
#define CKF_USER_PIN_COUNT_LOW 0x10000UL
#define CKF_USER_PIN_FINAL_TRY 0x20000UL
#define CKF_USER_PIN_LOCKED 0x40000UL
#define CKU_SO 0UL
#define CKU_USER 1UL
#define CKU_CONTEXT_SPECIFIC 2UL
#define CKM_RSA_PKCS_KEY_PAIR_GEN 0UL
#define CKM_RSA_PKCS_PSS 0xdUL
#define CKM_EC_KEY_PAIR_GEN 0x1040UL
#define CKA_CLASS 0UL
#define CKA_TOKEN 1UL
#define CKA_PRIVATE 2UL
#define CKA_LABEL 3UL
#define CKA_VALUE 0x11UL
#define CKA_CERTIFICATE_TYPE 0x80UL
#define CKA_SUBJECT 0x101UL
#define CKA_ID 0x102UL
#define CKA_MODULUS 0x120UL
#define CKA_MODULUS_BITS 0x121UL
#define CKA_EC_PARAMS 0x180UL
#define CKA_EC_POINT 0x181UL
#define CKA_ALWAYS_AUTHENTICATE 0x202UL
